"""Find memory that an execution may still use when it is freed, accessed or handed out again."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from harness.applications.trace import EXECUTIONS, Callback, Memory, Touch, TracedCall

if TYPE_CHECKING:
    from harness.applications.references import Site
    from harness.applications.trace import Trace
    from reference_runtime.devices.records import Access

#: How the application provides memory: as a tensor's address, by an output allocator, or as a context's device memory.
TENSOR, ALLOCATOR, DEVICE_MEMORY = "tensor", "allocator", "device memory"
_REQUESTS = ("reallocate_output", "reallocate_output_async")


class Loan(msgspec.Struct, frozen=True, dict=True):
    """Memory that an execution may use until it is over.

    ``since`` is the number of the first step at which the execution may use it. ``is_read`` says that the execution
    only reads it.
    """

    execution: TracedCall
    kind: str
    name: str
    address: int
    nbytes: int
    since: int
    is_read: bool = False

    def overlaps(self, address: int, nbytes: int) -> bool:
        """Return whether a range of addresses overlaps this memory."""
        return address < self.address + self.nbytes and self.address < address + nbytes

    @functools.cached_property
    def accesses(self) -> list[Access]:
        """Return the accesses of the execution to the lent memory."""
        own = (touch.access for touch in self.execution.touches)
        return [each for each in own if each.kind != "view" and self.overlaps(each.address, each.nbytes)]


class Hazard(msgspec.Struct, frozen=True):
    """An event that came too early for lent memory: what happened, and the application's line."""

    loan: Loan
    what: str
    site: Site


def requests(trace: Trace) -> Iterator[tuple[TracedCall, Callback]]:
    """Yield every request for an output's memory that an allocator answered, with its execution."""
    for call in trace.executions:
        for callback in call.callbacks:
            if callback.method in _REQUESTS and not callback.is_missing:
                yield call, callback


def loans(trace: Trace, kind: str) -> list[Loan]:
    """Return every loan of a kind."""
    return [loan for call in trace.executions for loan in _loans_of(call) if loan.kind == kind]


def hazards(trace: Trace, kind: str) -> dict[Loan, Hazard]:
    """Return the first hazard of each loan of a kind that has one."""
    return _Search(trace, kind).hazards


def of_hazard(loan: Loan, hazard: Hazard | None) -> str:
    """Return the place of a hazard and the execution of the loan, for a message."""
    execution = f"the execution is {loan.execution.site}, {loan.execution.shown}"
    return execution if hazard is None else f"{hazard.site}; {execution}"


def _loans_of(call: TracedCall) -> Iterator[Loan]:
    facts = call.context
    for tensor in facts.tensors:
        if tensor.address and tensor.nbytes and tensor.allocator is None and not tensor.is_host:
            yield Loan(call, TENSOR, tensor.name, tensor.address, tensor.nbytes, call.number, is_read=tensor.is_input)
    for callback in call.callbacks:
        if callback.method in _REQUESTS and isinstance(callback.result, int) and callback.result:
            name, _, size = callback.arguments[:3]
            yield Loan(call, ALLOCATOR, str(name), callback.result, int(size), callback.number)
    if facts.memory is not None and facts.memory[0] and facts.needed:
        yield Loan(call, DEVICE_MEMORY, DEVICE_MEMORY, facts.memory[0], facts.needed, call.number)


class _Search:
    """Goes through a trace once. It keeps the loans with which later steps can still conflict."""

    def __init__(self, trace: Trace, kind: str) -> None:
        self.hazards: dict[Loan, Hazard] = {}
        self._kind = kind
        self._open: dict[tuple[object, str, int], Loan] = {}
        for step in trace.steps:
            if isinstance(step, TracedCall) and step.member in EXECUTIONS:
                self._see_execution(step)
            elif isinstance(step, Touch):
                self._see_access(step)
            elif isinstance(step, Memory) and step.allocation.freed:
                self._see_free(step)

    def _see_execution(self, call: TracedCall) -> None:
        own = [loan for loan in _loans_of(call) if loan.kind == self._kind]
        for touch in call.touches:
            self._see_access(touch, call)
        for place, loan in enumerate(own):
            if self._kind == ALLOCATOR:
                self._see_twice(loan, own[:place])
            self._open[call.target, loan.name, call.stream] = loan
            tensor = loan.execution.context.tensor(loan.name)
            if loan.kind == TENSOR and tensor is not None and tensor.room is not None and tensor.room.is_freed:
                self._note(loan, "had been freed before the execution began", loan.execution.site)

    def _see_twice(self, loan: Loan, others: list[Loan]) -> None:
        """Note loans whose memory an allocator hands out for another tensor before their execution is over."""
        late = set(loan.execution.facts.get("overlapping", ()))
        pending = [each for each in self._open.values() if each.execution.number in late]
        for other in [*others, *pending]:
            if other.overlaps(loan.address, loan.nbytes) and (other.name, other.since) != (loan.name, loan.since):
                self._note(other, f"was handed out again, for {loan.name}", loan.execution.site)

    def _see_access(self, touch: Touch, call: TracedCall | None = None) -> None:
        access = touch.access
        if access.kind == "view":
            return
        for loan in list(self._open.values()):
            if call is not None and call.target == loan.execution.target:  # another rule judges this
                continue
            if loan.is_read and access.kind == "read":
                continue
            pairs = [each for each in loan.accesses if "write" in (each.kind, access.kind) and each.overlaps(access)]
            if not all(map(access.comes_after, pairs)) and loan.overlaps(access.address, access.nbytes):
                what = "was written to" if access.kind == "write" else "was read"
                by = "" if call is None else f" by another execution ({call.target})"
                self._note(loan, f"{what}{by} before the execution was over", touch.site)

    def _see_free(self, step: Memory) -> None:
        allocation = step.allocation
        for loan in list(self._open.values()):
            inside = step.inside is loan.execution and step.number > loan.since
            is_pending = loan.execution.number in step.pending and step.inside is not loan.execution
            is_early = (inside and allocation.source != "malloc_async") or (
                is_pending and allocation.source == "malloc"
            )
            if is_early and loan.overlaps(allocation.address, allocation.nbytes):
                self._note(loan, "was freed before the execution was over", step.site)

    def _note(self, loan: Loan, what: str, site: Site) -> None:
        self.hazards.setdefault(loan, Hazard(loan, what, site))
