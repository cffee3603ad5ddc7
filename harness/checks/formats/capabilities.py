"""Ask an ``IPluginV3`` for its capabilities, and record each object that it returns, or how it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.subject.callers.v3 import V3Caller
from harness.subject.calling import leniently, stop_for_want_of_a_gpu
from reference_runtime.calling.gate.records import FailureKind
from reference_runtime.calling.trampolines import v3
from reference_runtime.values.enums import PluginCapabilityType

if TYPE_CHECKING:
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure, Gate

#: The capabilities that TensorRT asks for in the build phase, and in the runtime phase.
OF_A_BUILD = ("CORE", "BUILD", "RUNTIME")
OF_AN_ENGINE = ("CORE", "RUNTIME")


class Query(msgspec.Struct, frozen=True):
    """One call of ``get_capability_interface``.

    Attributes:
        kind: The capability that was asked for: ``CORE``.
        part: The object that C++ receives; None for a null pointer.
        failure: How the query failed; None if it returned the capability.
    """

    kind: str
    part: Any
    failure: Failure | None

    @property
    def refused(self) -> str:
        """Return how the plugin refused, such as ``returned None``; empty if it returned any object."""
        return "" if self.failure is None or self.is_wrong else self.failure.what

    @property
    def is_wrong(self) -> bool:
        """Return whether the plugin returned an object that is not the capability."""
        return self.failure is not None and self.failure.kind is FailureKind.RETURNED

    @property
    def raised(self) -> bool:
        """Return whether the query raised an exception."""
        return self.failure is not None and self.failure.kind is FailureKind.RAISED


def query(subject: Subject, plugin: Any, kind: str) -> Query:
    """Ask a plugin for a capability, and return its answer or failure."""
    with leniently(subject.gate) as failures:
        part = v3.capability(subject.gate, plugin, PluginCapabilityType.__members__[kind])
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return Query(kind, part, failures[0] if failures else None)


def capabilities(subject: Subject, plugin: Any, kinds: tuple[str, ...] = OF_A_BUILD) -> dict[str, Any]:
    """Return the objects that C++ receives for some capabilities, by kind; None for a null pointer."""
    return {kind: query(subject, plugin, kind).part for kind in kinds}


class AskedOnce(V3Caller):
    """A caller for plugins of version 3 that asks each plugin for each capability only once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, PluginCapabilityType], Any] = {}

    def _capability(self, gate: Gate, plugin: Any, kind: PluginCapabilityType) -> Any:
        key = id(plugin), kind
        if key not in self._known:
            self._known[key] = super()._capability(gate, plugin, kind)
        return self._known[key]
