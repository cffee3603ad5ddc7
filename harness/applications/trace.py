"""Define the trace of an application, in order: its calls, their callbacks, and its own accesses to device memory.

Records hold plain data. They keep no object of the application alive, because rules judge when objects end. In place of
an object they have a `Ref`, its kind and a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from harness.applications.references import Ref

if TYPE_CHECKING:
    from harness.applications.facts import ContextFacts
    from harness.applications.references import Site
    from reference_runtime.devices.records import Access, Allocation

#: The methods of a context that execute it.
EXECUTIONS = ("execute_async_v3", "execute_async_v2", "execute_v2", "execute_async", "execute")
#: The methods among them that return when the work is done.
SYNCHRONOUS = ("execute_v2", "execute")
_LONGEST = 60


class TracedCall(msgspec.Struct, eq=False):
    """One call into TensorRT: ``owner.member`` of ``target``, with its arguments by name.

    ``facts`` describe the target just before the call. ``touches`` and ``callbacks`` happened during the call.
    ``error`` is the name and text of an exception that the call raised.
    """

    number: int
    site: Site
    thread: int
    owner: str
    member: str
    target: Ref | None
    arguments: dict[str, Any]
    result: Any = None
    error: str = ""
    facts: dict[str, Any] = msgspec.field(default_factory=dict)
    touches: list[Touch] = msgspec.field(default_factory=list)
    callbacks: list[Callback] = msgspec.field(default_factory=list)

    @property
    def context(self) -> ContextFacts:
        """Return the state of the execution context at the time of the call."""
        facts: ContextFacts = self.facts["context"]
        return facts

    @property
    def stream(self) -> int:
        """Return the handle of the call's stream; 0, the default stream, if the call takes none."""
        return int(self.arguments.get("stream_handle", 0))

    @property
    def done(self) -> bool:
        """Return whether the call returned True."""
        return self.result is True

    @property
    def shown(self) -> str:
        """Return the call for a message: ``context 1.set_input_shape(name='x', shape=(9,))``."""
        if self.member.endswith(" ="):
            return f"{self.target}.{self.member} {', '.join(map(_short, self.arguments.values()))}"
        arguments = ", ".join(f"{name}={_short(value)}" for name, value in self.arguments.items())
        return f"{self.target or 'tensorrt'}.{self.member}({arguments})"


class Callback(msgspec.Struct, eq=False):
    """One call of TensorRT into a method of the application, for example of an allocator or of a plugin."""

    number: int
    site: Site
    receiver: Ref
    method: str
    arguments: tuple[Any, ...]
    facts: dict[str, Any] = msgspec.field(default_factory=dict)
    result: Any = None
    error: str = ""
    is_missing: bool = False


class Touch(msgspec.Struct, eq=False):
    """One access of device memory; the application itself makes it, unless it is in ``touches`` of a call."""

    number: int
    site: Site
    access: Access


class Memory(msgspec.Struct, eq=False):
    """Device memory that the application allocated or freed.

    ``pending`` are the numbers of executions that may not have been over when memory was freed. ``inside`` is the call
    during which it happened; None outside of calls.
    """

    number: int
    site: Site
    allocation: Allocation
    pending: frozenset[int] = frozenset()
    inside: TracedCall | None = None


class Trace(msgspec.Struct, eq=False):
    """All steps of a run, in the order in which they began."""

    steps: list[TracedCall | Callback | Touch | Memory] = msgspec.field(default_factory=list)

    def calls(self, *members: str) -> Iterator[TracedCall]:
        """Yield the calls of some members; without arguments, all calls."""
        for step in self.steps:
            if isinstance(step, TracedCall) and (not members or step.member in members):
                yield step

    def callbacks(self, *methods: str) -> Iterator[Callback]:
        """Yield the callbacks to some methods."""
        for step in self.steps:
            if isinstance(step, Callback) and step.method in methods:
                yield step

    @property
    def executions(self) -> Iterator[TracedCall]:
        """Return the executions of contexts, including refused executions."""
        return self.calls(*EXECUTIONS)

    def on(self, target: Ref | None) -> Iterator[TracedCall]:
        """Return the calls on one object."""
        return (call for call in self.calls() if call.target == target)

    def contexts(self) -> list[Ref]:
        """Return the contexts, in the order of their first calls."""
        return list(
            dict.fromkeys(
                call.target for call in self.calls() if call.owner == "IExecutionContext" and call.target is not None
            )
        )


def _short(value: Any) -> str:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    is_address = is_number and value > 0xFFFF  # noqa: PLR2004 - no index is
    text = str(value) if isinstance(value, Ref) else hex(value) if is_address else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
