"""SAN: what a kernel does inside, as NVIDIA's compute-sanitizer sees it. Part of runs with ``--plugin-sanitizer`` only.

ENQ-006, WSP-003 and ENQ-005 require some of the same. They run without an option, so their verdicts must not depend
on one. A report of initcheck is less than an error: the data may be read and never used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.child.sanitizer.memory import nearest
from harness.child.sanitizer.running import watched
from harness.contract.finding import Finding, NotRun, Violation
from harness.contract.rule import Severity, rule
from harness.contract.sanitizer_tool import Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.child.sanitizer.memory import Piece
    from harness.child.sanitizer.report import SanitizerRecord
    from harness.child.sanitizer.running import SanitizedRun
    from harness.subject.subject import Subject

    #: From the memory that an access is in or beside.
    Advise = Callable[[Piece | None], "Advice"]


class Advice(NamedTuple):
    """The expected behaviour of a kernel, and how to get it."""

    expected: str
    fix: str


@rule("SAN-001", tool=Tool.MEMCHECK, source=plugins.ENQUEUE_DERIVED, requires=RUNS)
def kernels_stay_inside_their_memory(subject: Subject) -> Iterator[Finding]:
    """Kernels access the memory that ``enqueue`` was given inside its bounds, and at aligned addresses.

    A read beyond the end changes no memory, and the result is usually right. It crashes the process when the page
    behind the tensor is not mapped.
    """
    yield from _judged(subject, Tool.MEMCHECK, _bounds)


@rule("SAN-002", tool=Tool.INITCHECK, source=plugins.ENQUEUE_DERIVED, severity=Severity.WARNING, requires=RUNS)
def kernels_read_what_was_written(subject: Subject) -> Iterator[Finding]:
    """Kernels read only device memory that has been written.

    Outputs and workspace hold what other layers left there. This is a warning: the kernel may never use what it
    reads.
    """
    yield from _judged(subject, Tool.INITCHECK, _initialization)


@rule("SAN-003", tool=Tool.RACECHECK, source=plugins.KERNEL_BARRIERS, requires=RUNS)
def threads_wait_before_they_share(subject: Subject) -> Iterator[Finding]:
    """Threads of a block access the same shared memory in an order that a barrier fixes.

    Otherwise the result depends on which warp runs first. The rule counts only what compute-sanitizer calls an error.
    """
    yield from _judged(subject, Tool.RACECHECK, _races)


@rule("SAN-004", tool=Tool.SYNCCHECK, source=plugins.KERNEL_WARPS, requires=RUNS)
def barriers_are_met_by_those_they_name(subject: Subject) -> Iterator[Finding]:
    """All threads that a barrier is for reach it.

    Otherwise the behaviour is undefined: threads hang, or go on too early.
    """
    yield from _judged(subject, Tool.SYNCCHECK, _barriers)


def _races(_: Piece | None) -> Advice:
    return Advice(
        "a barrier between accesses of different threads to the same shared memory",
        fix="Put __syncthreads(), or __syncwarp() within a warp, between the two accesses.",
    )


def _barriers(_: Piece | None) -> Advice:
    return Advice(
        "every thread that a barrier is for reaches it, and no other thread",
        fix="Move the barrier out of conditional code, and name in the mask of __syncwarp exactly its threads.",
    )


def _bounds(piece: Piece | None) -> Advice:
    if piece is None or piece.label != "workspace":
        return Advice(
            "accesses inside inputs, outputs, workspace and the plugin's own memory, as ENQ-006 requires",
            fix="Limit every index to the dimensions of this call, for reads too; "
            "do not round sizes up for wider loads.",
        )
    return Advice(
        "accesses inside the bytes that the plugin asked for, as WSP-003 requires",
        fix="Return from get_workspace_size all bytes that the kernel uses, or use less in the kernel.",
    )


def _initialization(piece: Piece | None) -> Advice:
    if piece is not None and piece.label == "workspace":
        what = "the kernel writes the workspace before it reads it, as WSP-008 requires"
    elif piece is not None and piece.label.startswith("outputs"):
        what = "the kernel reads outputs only where this call has written them, as ENQ-005 requires"
    else:
        what = "the kernel writes memory before it reads it"
    return Advice(what, fix="Write each element before the kernel reads it, or do not read it.")


def _judged(subject: Subject, tool: Tool, advise: Advise) -> Iterator[Finding]:
    """Yield a finding for each execution, and one for each thing that is wrong.

    Raises:
        NotRun: The tool could not be used, or not to the end, and found nothing.
    """
    seen = watched(tool, subject)
    for records in _alike(seen):
        yield Finding(_violation(tool, records, seen, advise))
    for _ in seen.executions:
        yield Finding()
    if seen.trouble:
        raise NotRun(seen.trouble)


def _alike(seen: SanitizedRun) -> list[list[SanitizerRecord]]:
    """Return the records in groups: what many threads did at one place beside one tensor is one thing."""
    groups: dict[tuple[object, ...], list[SanitizerRecord]] = {}
    for record in seen.records:
        piece = nearest(seen.memory, record.address)
        key = (record.text, record.kernel, record.place, record.launched, piece and piece.label)
        groups.setdefault(key, []).append(record)
    return list(groups.values())


def _violation(tool: Tool, records: list[SanitizerRecord], seen: SanitizedRun, advise: Advise) -> Violation:
    record = records[0]
    piece = nearest(seen.memory, record.address)
    expected, fix = advise(piece)
    who = f"thread {record.thread} of block {record.block}" if record.thread else ""
    launched = f"launched by {record.launched}" if record.launched else ""
    shapes = f"input shapes {[tuple(shape) for shape in piece.shapes]}" if piece else ""
    address = f"address {record.address:#x}" if record.address is not None else ""
    near = piece.beside(record.address) if piece and record.address is not None else ""
    more = f"reported {len(records)} times" if len(records) > 1 else ""
    return Violation(
        what=f"{tool.value}: kernel {record.kernel or 'without a name'}: {record.text}",
        where=", ".join(filter(None, (f"at {record.place}", who, launched, shapes))),
        expected=expected,
        observed="; ".join(filter(None, (address, near, more))) or record.text,
        fix=fix,
    )
