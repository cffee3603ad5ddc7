"""List the requests to an application's output allocators, with the answers and their defects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from harness.applications.loans import requests
from harness.applications.trace import Memory

if TYPE_CHECKING:
    from harness.applications.facts import Room
    from harness.applications.trace import Callback, Trace, TracedCall


class Answer(msgspec.Struct, frozen=True):
    """One request for the memory of an output, and the answer.

    Attributes:
        call: The execution.
        callback: The request.
        is_new: Whether the memory was allocated for this request.
        is_known: Whether the allocator returned the same address for this output before.
    """

    call: TracedCall
    callback: Callback
    is_new: bool
    is_known: bool

    @property
    def name(self) -> str:
        """Return the name of the output."""
        return str(self.callback.arguments[0])

    @property
    def size(self) -> int:
        """Return the number of requested bytes."""
        return int(self.callback.arguments[2])

    @property
    def alignment(self) -> int:
        """Return the requested alignment, in bytes."""
        return int(self.callback.arguments[3])

    @property
    def error(self) -> str:
        """Return the exception that the callback raised, in words; empty if it raised none."""
        return f"raised {self.callback.error}" if self.callback.error else ""

    @property
    def type_name(self) -> str:
        """Return the name of the returned object's class."""
        return str(self.callback.facts.get("type", ""))

    @property
    def is_address(self) -> bool:
        """Return whether the value is an integer or None, which the bindings accept; true if the callback raised."""
        is_int = bool(self.callback.facts.get("is_index"))
        return bool(self.callback.error) or self.type_name == "NoneType" or is_int

    @property
    def has_memory(self) -> bool:
        """Return whether the callback returned an address."""
        return bool(self.callback.result) and not self.callback.error

    @property
    def is_kept(self) -> bool:
        """Return whether the address is the current address of this output, or was returned for it before."""
        is_current = self.callback.result == self.callback.arguments[1]
        return self.has_memory and not self.is_new and (is_current or self.is_known)

    @property
    def is_empty(self) -> bool:
        """Return whether the output has no elements, or unknown dimensions and a request of one byte."""
        tensor = self.call.context.tensor(self.name)
        dims = tensor.dims if tensor is not None else None
        return dims is not None and (0 in dims or (-1 in dims and self.size == 1))

    @property
    def wrong(self) -> str:
        """Describe the defect of the returned memory; empty if it has none, or if no memory was returned."""
        if not self.has_memory or not isinstance(self.callback.result, int):
            return ""
        room: Room | None = self.callback.facts.get("room")
        if self.alignment and self.callback.result % self.alignment:
            return f"{self.callback.result:#x} is not a multiple of {self.alignment}"
        if room is None:
            return f"{self.callback.result:#x} is in no device memory"
        if room.is_freed:
            return "the memory was freed"
        return "" if room.nbytes >= self.size else f"{room.nbytes} bytes for a request of {self.size}"

    @property
    def where(self) -> str:
        """Return the request and the execution that made it, for a message."""
        callback = self.callback
        return (
            f"{callback.site}, {callback.receiver}.{callback.method}{callback.arguments}; "
            f"the execution is {self.call.site}, {self.call.shown}"
        )


def settings(trace: Trace) -> Iterator[TracedCall]:
    """Yield each call that sets an allocator for an output."""
    for call in trace.calls("set_output_allocator"):
        if call.arguments.get("output_allocator") is not None:
            yield call


def answers(trace: Trace) -> Iterator[Answer]:
    """Yield each request that an allocator answered; a fallback to the method without a stream is no second request."""
    allocated = [step for step in trace.steps if isinstance(step, Memory) and not step.allocation.freed]
    known: set[tuple[object, ...]] = set()
    for call, callback in requests(trace):
        memory = (callback.receiver, callback.arguments[0], callback.result)
        yield Answer(call, callback, _is_new(callback, allocated), memory in known)
        known.add(memory)


def _is_new(callback: Callback, allocated: list[Memory]) -> bool:
    address = callback.result
    if not isinstance(address, int):
        return False
    return any(
        step.number > callback.number
        and step.allocation.address <= address < step.allocation.address + max(step.allocation.nbytes, 1)
        for step in allocated
    )
