"""NAT: what only compiled plugins can do wrong: the heap, names of others, the load, and errors that CUDA returns.

Exceptions that leave a method, crashes, missing symbols and memory beyond an argument have no rules here. They end the
call or the process, and the rule that owns the callback reports them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.prerequisites import CLONES, CONFIGURES, RUNS
from conformance.sources import plugins as sources
from harness.checks.lifecycle import failed_cuda_calls, native_heap, native_loading
from harness.contract.finding import Finding, Violation, check
from harness.contract.language import CPP
from harness.contract.rule import Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.lifecycle.native_heap import Lives
    from harness.subject.subject import Subject

_SHOWN = 8
_LIVES = CLONES | {"DST-003", "SER-008"}


@rule("NAT-001", languages=CPP, source=sources.HEAP_RETURNED, requires=_LIVES)
def every_object_gives_its_memory_back(subject: Subject) -> Iterator[Finding]:
    """An object that was created, cloned or deserialized frees all its heap memory in ``destroy``.

    TensorRT makes several objects for each layer, engine and context of a server that runs for weeks.
    """
    yield from _losses(subject, native_heap.lives_without_kernels(subject))


@rule("NAT-002", languages=CPP, source=sources.HEAP_RETURNED, requires=_LIVES)
def running_loses_no_memory(subject: Subject) -> Iterator[Finding]:
    """A plugin that has run frees all its heap memory: that of initialize, enqueue and contexts.

    What ``enqueue`` loses adds up with each inference.
    """
    yield from _losses(subject, native_heap.lives_with_kernels(subject))


@rule("NAT-003", languages=CPP, source=sources.HEAP_USED, requires=_LIVES)
def memory_is_freed_once_and_left_alone(subject: Subject) -> Iterator[Finding]:
    """The plugin frees each heap block once, as it was allocated, and writes only into memory that it holds.

    The rule judges objects that are created, configured, cloned, serialized and destroyed. With another allocator, or
    another order of the objects in memory, the same code damages other objects.
    """
    yield from _misuses(subject, native_heap.lives_without_kernels(subject))


@rule("NAT-004", languages=CPP, source=sources.HEAP_USED, requires=_LIVES)
def running_leaves_the_heap_intact(subject: Subject) -> Iterator[Finding]:
    """While the plugin runs it frees each heap block once, and writes only into memory that it holds.

    A block that is too small for one shape damages the memory behind it.
    """
    yield from _misuses(subject, native_heap.lives_with_kernels(subject))


@rule("NAT-005", languages=CPP, source=sources.HEAP_READ, severity=Severity.WARNING, requires=CONFIGURES | {"SER-008"})
def stored_data_were_written(subject: Subject) -> Iterator[Finding]:
    """A configured plugin stores only memory that it has written.

    Members without an initial value, and gaps in a structure, hold old data of the heap. Two builds of one engine then
    differ, and a restored plugin may use the old data.
    """
    places = native_heap.unwritten(subject)
    yield check(
        not places,
        lambda: Violation(
            what=f"the stored data hold memory that was never written: {len(places)} bytes",
            where="create_plugin, configure_plugin, serialize; twice, with other content of new memory",
            expected="the same bytes for any content of new memory",
            observed=", ".join(places[:_SHOWN]) + (" and more" if len(places) > _SHOWN else ""),
            fix="Give each member an initial value, and store members one by one instead of a structure with gaps.",
        ),
    )


@rule("NAT-006", level=1, languages=CPP, source=sources.ONE_DEFINITION, severity=Severity.WARNING)
def exported_names_are_its_own(subject: Subject) -> Iterator[Finding]:
    """The library exports no function with a name of TensorRT, CUDA's runtime or the memory allocator.

    A program has one function of each name: the library's or that of another library. Which of them depends on the
    order in which the program loads libraries.
    """
    names = native_loading.names_of_others(subject)
    yield check(
        not names,
        lambda: Violation(
            what="the library exports functions whose names belong to others",
            where="the library's dynamic symbols",
            expected="each of these functions has one definition in a program",
            observed=", ".join(names[:_SHOWN]) + (" and more" if len(names) > _SHOWN else ""),
            fix="Rename or hide it (-fvisibility=hidden, static), and link NVIDIA's libraries shared.",
        ),
    )


@rule("NAT-007", languages=CPP, source=sources.STATIC_ORDER, severity=Severity.WARNING)
def source_files_begin_in_any_order(subject: Subject) -> Iterator[Finding]:
    """The library offers the same creators if the static initialisers of its source files run in another order.

    C++ leaves this order open, and linkers take the order of their command line. A new file changes it.
    The rule loads a copy of the library in which the order is reversed.
    """
    as_linked, in_reverse, names = native_loading.in_both_orders(subject)
    yield check(
        in_reverse == as_linked,
        lambda: Violation(
            what="a static initialiser needs that of another source file to run before",
            where=f"loading, with the initialisers in reverse order; as linked: {', '.join(names)}",
            expected=as_linked,
            observed=in_reverse,
            fix="Hold what other files need in a function's static variable, which the first call initialises.",
        ),
    )


@rule("NAT-008", languages=CPP, source=sources.CALLS_STATUS, requires=RUNS | {"INI-001"})
def failed_cuda_calls_are_reported(subject: Subject) -> Iterator[Finding]:
    """If a CUDA call fails and the results are wrong, a callback returns an error.

    Otherwise the application uses these results. Examples of failures are a lack of memory, and a library without code
    for the GPU. The rule lets allocations, copies, fills and launches fail. A plugin that does without them passes.
    """
    for trial in failed_cuda_calls.outcomes(subject):
        yield check(
            not trial.consequence,
            lambda: Violation(
                what="the plugin goes on after a failed CUDA call",
                where=f"{trial.where} failed",
                expected="a callback returns an error, or the results are right",
                observed=trial.consequence,
                fix="Return an error if a CUDA call returns one. After a launch, read cudaGetLastError().",
            ),
        )


def _losses(subject: Subject, lives: Lives) -> Iterator[Finding]:
    for calls, live in lives.items():
        losses = native_heap.lost(subject, live)
        yield check(
            not losses,
            lambda: Violation(
                what=f"each life loses {losses[0][0]}",
                where=calls,
                expected="all memory that was allocated is freed",
                observed=_in_words(losses),
                fix="Free in the destructor what the object allocated: hold it in a unique_ptr or vector.",
            ),
        )


def _misuses(subject: Subject, lives: Lives) -> Iterator[Finding]:
    for calls, live in lives.items():
        misuses = native_heap.misused(subject, live)
        yield check(
            not misuses,
            lambda: Violation(
                what=misuses[0][0],
                where=calls,
                expected="each block is freed once, as it was allocated, and written within its bounds",
                observed=_in_words(misuses),
                fix="Hold memory in a unique_ptr or vector; both free it once, and as it was allocated.",
            ),
        )


def _in_words(faults: list[tuple[str, str]]) -> str:
    return "; ".join(f"{what}, from {stack.strip() or 'code without a name'}" for what, stack in faults)
