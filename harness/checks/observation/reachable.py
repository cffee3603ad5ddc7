"""Count the references that objects keep alive through attributes, containers and closures."""

from __future__ import annotations

import gc
import types
import weakref
from typing import TYPE_CHECKING, Any

from harness.contract.own_names import own

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Types that are not followed: all objects reach classes, modules and code, and weak containers keep nothing alive.
_COMMON = (
    *(type, types.ModuleType, types.FrameType, types.CodeType, types.BuiltinFunctionType),
    *(weakref.WeakSet, weakref.WeakKeyDictionary, weakref.WeakValueDictionary),
)
#: The number of references after which the count stops.
_MOST = 100_000
_OURS = (own("harness"), "reference_runtime.calling", "reference_runtime.native")


def references_from(roots: Iterable[Any]) -> int:
    """Return the number of references in ``roots`` and all objects that they reach, up to about `_MOST`.

    Objects of the harness and the gate are left out.
    """
    waiting, seen, count = list(roots), set(), 0
    while waiting and count < _MOST:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        parts = [part for part in _parts(each) if not isinstance(part, _COMMON) and not _is_ours(part)]
        count += len(parts)
        waiting += parts
    return count


def _parts(value: Any) -> list[Any]:
    if isinstance(value, types.FunctionType):
        return [value.__closure__, value.__defaults__, value.__kwdefaults__, vars(value)]
    return gc.get_referents(value)


def _is_ours(value: Any) -> bool:
    return type(value).__module__.startswith(_OURS)
