"""FUZ: contexts that run at once in threads; the run draws their shapes and the switches between them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from msgspec import structs

from conformance.prerequisites import CLONES
from conformance.sources import plugins
from harness.checks.formats.aliasing import aliases_of
from harness.checks.observation.kept_state import look_at_what_is_kept
from harness.checks.running.driver import Driver, oracle_outputs
from harness.checks.running.runs import LENIENT, deviation, difference_of, is_alike_alone
from harness.checks.sampling.sampling import drawn_shapes
from harness.checks.threads.deterministic_threads import OwnCode, Schedule, in_turns
from harness.contract.finding import Finding, NotRun, Violation, check
from harness.contract.rule import rule
from harness.strategies.shapes import crowds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.threads.deterministic_threads import Done
    from harness.subject.subject import Subject


@rule(
    "FUZ-010",
    source=plugins.THREAD_CONTEXTS,
    requires=CLONES | {"CFG-005", "CLN-005", "CLN-015", "FUZ-003", "FUZ-004", "TAC-004", "THR-003", "WSP-007"},
    strategy=crowds,
)
def contexts_at_once_compute_what_each_computes_alone(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """Contexts that run at once compute what each computes alone, at any shapes and with any switches between threads.

    Each context has its own object and thread. If they still share state in a class or a module, a thread may find it
    half-written or changed.
    """
    shapes = [drawn_shapes(subject.case, each) for each in example["threads"]]
    if min(example["steps"], default=0) < 1:
        raise NotRun("the example has a turn of less than one point, which no thread can take")
    contexts = _contexts(subject, len(shapes))
    own = OwnCode(subject.creator, *(context.plugin for context in contexts))
    schedule = Schedule(tuple(example["steps"]), example["turns"])
    look = look_at_what_is_kept(subject)
    for execution, step in enumerate((Driver.run, Driver.enqueue), start=1):
        works = [_work(step, *each) for each in zip(contexts, shapes, range(len(shapes)), strict=True)]
        course = in_turns(works, subject.gate, own, schedule, subject.once("waited at", set), look)
        where = f"execution {execution} of threads with inputs {_listed(shapes)}; switches: {course}"
        for number, (context, done) in enumerate(zip(contexts, course.done, strict=True)):
            yield _as_alone(context, done, f"thread {number + 1}", where)


def _contexts(subject: Subject, number: int) -> list[Driver]:
    """Return objects as the contexts of one engine have them, after the calls that threads need not make."""
    aliases_of(subject)
    built = Driver(subject, subject.create()).configure_for_build()
    if subject.caller.attaches:
        return [built.of(built.plugin).initialize() for _ in range(number)]
    source = built.initialize()
    return [source.clone() for _ in range(number)]


def _work(step: Callable[..., Run], context: Driver, shapes: Shapes, number: int) -> Callable[[], Run]:
    """Return what a thread does: it runs the object, and in the first execution it prepares it.

    If contexts attach, the builder's object is asked here for the workspace size: contexts share that object.
    """
    size = context.workspace_size(shapes) if context.caller.attaches else None
    conditions = structs.replace(LENIENT, workspace=size)
    return functools.partial(step, context, shapes, context.tensors.draw(shapes, f"thread {number}"), conditions)


def _as_alone(context: Driver, done: Done, who: str, where: str) -> Finding:
    difference = done.failure or _deviation(context, done.value)
    if difference and not done.failure and done.value.failure is None and is_alike_alone(context, done.value):
        return Finding(wrong_alone(where, f"{who}: {difference}"))
    return check(
        not difference,
        lambda: Violation(
            what="contexts that run at once, each in its own thread, disturb each other",
            where=where,
            expected="the outputs of each alone",
            observed=f"{who}: {difference}",
            fix="Keep the data of a call in local variables or in the object. Or hold a lock from the first write of "
            "shared data to its last use.",
        ),
    )


def wrong_alone(where: str, observed: str) -> Violation:
    """Say that drawn data showed a wrong computation: a plugin that runs alone computes the same from them."""
    return Violation(
        what="enqueue computes wrong outputs for these data, also in a plugin that runs alone",
        where=where,
        expected="the outputs of the case's reference",
        observed=observed,
        fix="Correct the computation for these values, or the case's reference or tolerance.",
    )


def _deviation(context: Driver, run: Run) -> str:
    """Return how a run deviates from the case's reference or, without one, from a new plugin that runs alone."""
    if run.failure is not None:
        return f"enqueue {run.failure.how}"
    if context.subject.case.reference is None:
        return deviation(context, run, context.another().run(run.shapes, run.inputs))
    difference = difference_of(context, run, oracle_outputs(context.subject, run))
    return "" if difference is None else str(difference)


def _listed(shapes: list[Shapes]) -> list[list[list[int]]]:
    return [[list(each) for each in one] for one in shapes]
