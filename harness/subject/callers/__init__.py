"""Call a plugin and its creator as TensorRT does, with one module for each interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.contract.interface import IMPLICIT_BATCH, Interface
from harness.subject.callers.implicit_batch import ImplicitBatchCaller
from harness.subject.callers.v2_dynamic import V2DynamicCaller
from harness.subject.callers.v3 import V3Caller

if TYPE_CHECKING:
    from harness.subject.callers.caller import Caller

__all__ = ["NATIVE_ATTRIBUTES", "caller_of"]

_CALLERS: dict[Interface, Caller] = {
    **{interface: ImplicitBatchCaller(interface) for interface in IMPLICIT_BATCH},
    Interface.V2_DYNAMIC: V2DynamicCaller(),
    Interface.V3: V3Caller(),
}


#: Every native attribute that plugins of any interface have to assign.
NATIVE_ATTRIBUTES = frozenset(name for caller in _CALLERS.values() for name in caller.identity)


def caller_of(interface: Interface) -> Caller:
    """Return the caller for plugins of an interface, except decorated plugins: a `DecoratedCaller` needs a case."""
    return _CALLERS[interface]
