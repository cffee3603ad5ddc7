"""Build an engine in one process, and load it in another that has only the plan.

Theory. A plugin may keep data outside of its objects: in a module, a class, a creator or a cache. These data end with
its process. Most processes that run engines have not built any. Here a fork builds the engine. Until this process calls
the plugin, it has only imported the module.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from harness.checks.engines.canonical_drive import plan_of, run_plan
from harness.checks.formats.choices import network_types
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.in_a_fork import apart
from harness.contract.finding import NotRun
from harness.subject.calling import stop_for_want_of_a_gpu

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.cases.case import Shape
    from harness.checks.engines.canonical_drive import Drive
    from harness.subject.subject import Subject

    Outputs = Sequence[Any]


def executions_after_loading(subject: Subject) -> Iterator[tuple[tuple[Shape, ...], str]]:
    """Yield the shapes of each execution of an engine that another process built, and its failure, if any.

    This process must not have called the plugin.

    Raises:
        CallbackFailedError: A callback failed where the engine was built.
        NotRun: The engine does not run where it was built, or its results differ from process to process.
    """
    built = apart(lambda: _built(subject))
    seen = run_plan(subject, built["plan"], built["types"])
    for execution, wanted in itertools.zip_longest(seen.executions, built["executions"]):
        shapes = tuple(map(tuple, wanted["shapes"]))
        outputs = None if execution is None else execution.outputs
        problem = _problem(subject, seen, outputs, wanted["outputs"])
        if problem:
            _insist_on_one_answer(subject, built["executions"])
        yield shapes, problem


def _built(subject: Subject) -> dict[str, Any]:
    """Build an engine and run it in the same process."""
    types = network_types(subject)
    plan = plan_of(subject, types)
    seen = run_plan(subject, plan, types.inputs)
    if seen.stopped or any(each.outputs is None for each in seen.executions):
        for failure in subject.gate.failures:
            stop_for_want_of_a_gpu(failure)
        raise NotRun(f"the engine does not run where it was built: {_how(subject, seen)}")
    executions = [{"shapes": each.shapes, "outputs": each.outputs} for each in seen.executions]
    return {"plan": plan, "types": list(types.inputs), "executions": executions}


def _problem(subject: Subject, seen: Drive, outputs: Outputs | None, wanted: Outputs) -> str:
    if outputs is None:
        return _how(subject, seen)
    difference = first_difference(outputs, wanted, [tolerance_of(subject.case, each.dtype.name) for each in wanted])
    return "" if difference is None else str(difference)


def _how(subject: Subject, seen: Drive) -> str:
    """Say what went wrong: the first callback that failed, or where TensorRT gave up."""
    failures = [f"{each.method} {each.what}" for each in subject.gate.failures]
    return next(iter(failures), seen.stopped or "the execution fails")


def _insist_on_one_answer(subject: Subject, executions: Sequence[dict[str, Any]]) -> None:
    """Stop where another process that builds and runs computes something else, too.

    Raises:
        NotRun: It does.
    """
    again = apart(lambda: _built(subject))["executions"]
    for one, other in zip(executions, again, strict=True):
        tolerances = [tolerance_of(subject.case, each.dtype.name) for each in one["outputs"]]
        if first_difference(other["outputs"], one["outputs"], tolerances) is not None:
            raise NotRun("two engines compute different results from the same inputs: the rule cannot compare")
