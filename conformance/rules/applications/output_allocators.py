"""OA: what an application's output allocators do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.sources import applications as sources
from harness.applications import allocating
from harness.applications.loans import ALLOCATOR, hazards, loans, of_hazard
from harness.contract.finding import Finding, Violation, check
from harness.contract.rule import APPLICATIONS, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.application import Application

_NO_ALLOCATOR = "the application sets no output allocator"
_NOT_ASKED = "TensorRT asked no output allocator for memory"


@rule("OA-001", level=1, source=sources.ALLOCATOR_INIT, interfaces=APPLICATIONS)
def allocator_is_initialized(application: Application) -> Iterator[Finding]:
    """The ``__init__`` of an output allocator calls ``IOutputAllocator.__init__``.

    Otherwise there is no C++ object, and making the allocator is a TypeError.
    """
    ending = application.ending
    if ending.kind == "TypeError" and "IOutputAllocator.__init__() must be called" in ending.error:
        yield Finding(
            Violation(
                what="an output allocator was made without IOutputAllocator.__init__",
                where=str(ending.site),
                expected="trt.IOutputAllocator.__init__(self) before anything else in __init__",
                observed=ending.error,
                fix="Call trt.IOutputAllocator.__init__(self), or super().__init__(), in the allocator's __init__.",
            )
        )
        return
    for _ in application.occasions(allocating.settings(application.trace), _NO_ALLOCATOR):
        yield Finding()


@rule("OA-002", level=1, source=sources.ALLOCATED, interfaces=APPLICATIONS, requires={"OA-007"})
def new_memory_is_large_enough(application: Application) -> Iterator[Finding]:
    """An output allocator returns memory with at least the bytes and the alignment that TensorRT asked for.

    TensorRT writes the output there: if the memory is too small, it writes beyond the end.
    """
    fresh = (each for each in allocating.answers(application.trace) if each.is_new)
    for answer in application.occasions(fresh, _NOT_ASKED):
        yield check(
            not answer.wrong,
            lambda: Violation(
                what=f"{answer.name}: {answer.wrong}",
                where=answer.where,
                expected=f"at least {answer.size} bytes at a multiple of {answer.alignment}",
                observed=answer.wrong,
                fix="Allocate at least size bytes; never round down.",
            ),
        )


@rule("OA-003", level=1, source=sources.ALLOCATED_NOTHING, interfaces=APPLICATIONS, requires={"OA-007"})
def without_memory_the_answer_is_none(application: Application) -> Iterator[Finding]:
    """An output allocator returns None if it cannot provide the memory; it does not raise or return less memory.

    The execution then fails in a controlled way: ``execute_async_v3`` returns False.
    """
    other = (each for each in allocating.answers(application.trace) if not each.is_new and not each.is_kept)
    for answer in application.occasions(other, "the application provided memory for every request"):
        yield check(
            not answer.error and not answer.wrong,
            lambda: Violation(
                what=f"{answer.name}: {answer.error or answer.wrong}",
                where=answer.where,
                expected=f"None, or memory of at least {answer.size} bytes",
                observed=answer.error or answer.wrong,
                fix="Return None if there is not enough memory, and let the execution fail.",
            ),
        )


@rule("OA-004", level=1, source=sources.ALLOCATED_AGAIN, interfaces=APPLICATIONS, requires={"OA-007"})
def old_memory_is_kept_only_if_large_enough(application: Application) -> Iterator[Finding]:
    """An output allocator returns memory of an earlier request again only if it has room for this execution.

    If the old memory is smaller than this output, TensorRT writes beyond its end.
    """
    kept = (each for each in allocating.answers(application.trace) if each.is_kept)
    for answer in application.occasions(kept, "no output allocator returns the memory that it had given before"):
        yield check(
            not answer.wrong,
            lambda: Violation(
                what=f"{answer.name}: {answer.wrong}",
                where=answer.where,
                expected=f"memory of at least {answer.size} bytes, the old memory only if it is that large",
                observed=f"the memory from before: {answer.wrong}",
                fix="Store the size of the memory, and allocate anew for a larger request.",
            ),
        )


@rule("OA-005", level=1, source=sources.NOTIFIED, interfaces=APPLICATIONS)
def shapes_are_taken_note_of(application: Application) -> Iterator[Finding]:
    """An output allocator has a ``notify_shape`` that takes the name and the shape of each output.

    The application learns the shape there. The bindings print an exception and go on.
    """
    for callback in application.occasions(application.trace.callbacks("notify_shape"), _NOT_ASKED):
        yield check(
            not callback.is_missing and not callback.error,
            lambda: Violation(
                what=f"notify_shape {'is not there' if callback.is_missing else f'raised {callback.error}'}",
                where=f"{callback.site}, {callback.receiver}.notify_shape{callback.arguments}",
                expected="notify_shape(self, tensor_name, shape) that keeps the shape under the name",
                observed="the bindings print an error, and the application never learns the shape",
                fix="Define notify_shape(self, tensor_name, shape), and keep each shape under its name.",
            ),
        )


@rule("OA-006", level=1, source=sources.ALLOCATED_ON_STREAM, severity=Severity.WARNING, interfaces=APPLICATIONS)
def allocation_is_in_the_streams_order(application: Application) -> Iterator[Finding]:
    """An output allocator has ``reallocate_output_async``; ``reallocate_output`` alone is deprecated.

    The bindings then use the method without a stream, so it still works.
    """
    for call in application.occasions(allocating.settings(application.trace), _NO_ALLOCATOR):
        has = call.facts["overrides"]
        yield check(
            "reallocate_output_async" in has,
            lambda: Violation(
                what=f"{call.arguments.get('output_allocator')} has {', '.join(has) or 'no method'} only",
                where=f"{call.site}, {call.shown}",
                expected="reallocate_output_async(self, tensor_name, memory, size, alignment, stream)",
                observed="the deprecated variant, which cannot allocate in the order of the stream",
                fix="Define reallocate_output_async; reallocate_output is for TensorRT before 10.",
            ),
        )


@rule("OA-007", level=1, source=sources.ALLOCATED_ADDRESS, interfaces=APPLICATIONS)
def answer_is_an_address(application: Application) -> Iterator[Finding]:
    """An output allocator returns an address, an int, or None: no array and no pointer object.

    The bindings take any other object for a null pointer, and the execution fails.
    """
    for answer in application.occasions(allocating.answers(application.trace), _NOT_ASKED):
        yield check(
            answer.is_address,
            lambda: Violation(
                what=f"{answer.name}: the answer was a {answer.type_name}",
                where=answer.where,
                expected="an int, such as array.data.ptr",
                observed=f"a {answer.type_name}, which the bindings take for a null pointer: the execution fails",
                fix="Return int(array.data.ptr), and keep the array.",
            ),
        )


@rule(
    "OA-008",
    level=1,
    source=sources.ALLOCATED_EMPTY,
    severity=Severity.WARNING,
    interfaces=APPLICATIONS,
    requires={"OA-007"},
)
def empty_outputs_get_memory_too(application: Application) -> Iterator[Finding]:
    """An output allocator returns memory for an empty output as for any other: its size is positive.

    Without memory the execution fails, although the input is valid.
    """
    empty = (each for each in allocating.answers(application.trace) if each.is_empty)
    for answer in application.occasions(empty, "no output with an allocator is empty"):
        yield check(
            answer.has_memory,
            lambda: Violation(
                what=f"{answer.name} is empty, and got no memory",
                where=answer.where,
                expected=f"memory for the {answer.size} byte that was asked for",
                observed=f"{answer.error or 'None'}: the execution fails, although the input is valid",
                fix="Allocate the requested size, without special cases for small sizes.",
            ),
        )


@rule("OA-009", level=1, source=sources.ALLOCATED_IN_USE, interfaces=APPLICATIONS)
def handed_out_memory_is_left_alone(application: Application) -> Iterator[Finding]:
    """The application does not free, reuse or touch memory of an output allocator before the execution is over.

    The execution writes the outputs there. Another use of the same bytes at that time makes the results undefined.
    """
    hazard_by_loan = hazards(application.trace, ALLOCATOR)
    for loan in application.occasions(iter(loans(application.trace, ALLOCATOR)), _NOT_ASKED):
        hazard = hazard_by_loan.get(loan)
        yield check(
            hazard is None,
            lambda: Violation(
                what=f"the memory for {loan.name} {hazard.what if hazard else ''}",
                where=of_hazard(loan, hazard),
                expected="separate memory for each output, until the stream is synchronized and the output read",
                observed="two users of the same bytes",
                fix="Keep one buffer for each name, and free or recycle it only once the stream is synchronized.",
            ),
        )
