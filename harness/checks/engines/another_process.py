"""Build an engine in one process, and load it in another that has only the plan.

Theory. A plugin may keep data outside of its objects: in a module, a class, a creator or a cache. These data end with
their process. Most processes that run an engine have not built it. So a fork builds the engine here. This process has
only imported the plugin's module before it loads the engine.
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
    from collections.abc import Iterator, Mapping, Sequence

    from harness.cases.case import Shape
    from harness.checks.engines.canonical_drive import Drive
    from harness.subject.subject import Subject

    Outputs = Sequence[Any]

#: What the builder chooses: the usual candidate, or the last combination of formats with the last tactic.
_USUAL: Mapping[str, int] = {}
_LAST: Mapping[str, int] = {"combination": -1}


def executions_after_loading(subject: Subject) -> Iterator[tuple[tuple[Shape, ...], str]]:
    """Load an engine that a fork built, and yield for each execution the input shapes and the problem, or "".

    If the plugin may have tactics, a second engine has the last tactic.

    A problem is a failure, or a difference from the outputs in the fork. This process must not have called the plugin.

    Raises:
        CallbackFailedError: A callback failed in the fork.
        NotRun: The engine does not run in the fork, or the outputs of two forks differ.
    """
    choices = (_USUAL, _LAST) if subject.caller.has_tactics else (_USUAL,)
    engines = [(choice, _built_in_a_fork(subject, choice)) for choice in choices]
    if engines[-1][1]["plan"] == engines[0][1]["plan"]:
        engines = engines[:1]
    for choice, built in engines:
        seen = run_plan(subject, built["plan"], built["types"])
        for execution, expected in itertools.zip_longest(seen.executions, built["executions"]):
            shapes = tuple(map(tuple, expected["shapes"]))
            outputs = None if execution is None else execution.outputs
            problem = _problem(subject, seen, outputs, expected["outputs"])
            if problem:
                _insist_on_one_answer(subject, built["executions"], choice)
            yield shapes, problem


def _built_in_a_fork(subject: Subject, choice: Mapping[str, int]) -> dict[str, Any]:
    built: dict[str, Any] = apart(lambda: _built(subject, choice))
    return built


def _built(subject: Subject, choice: Mapping[str, int]) -> dict[str, Any]:
    """Build an engine and run it in this process; return the plan, the input types and the executions.

    Raises:
        NotRun: The engine does not run.
    """
    types = network_types(subject)
    plan = plan_of(subject, types, choice)
    seen = run_plan(subject, plan, types.inputs)
    if seen.stopped or any(each.outputs is None for each in seen.executions):
        for failure in subject.gate.failures:
            stop_for_want_of_a_gpu(failure)
        raise NotRun(f"the engine does not run where it was built: {_how(subject, seen)}")
    executions = [{"shapes": each.shapes, "outputs": each.outputs} for each in seen.executions]
    return {"plan": plan, "types": list(types.inputs), "executions": executions}


def _problem(subject: Subject, seen: Drive, outputs: Outputs | None, expected: Outputs) -> str:
    if outputs is None:
        return _how(subject, seen)
    difference = first_difference(outputs, expected, [tolerance_of(subject.case, each.dtype.name) for each in expected])
    return "" if difference is None else str(difference)


def _how(subject: Subject, seen: Drive) -> str:
    """Return the first callback that failed, or the step at which TensorRT stopped, in words."""
    failures = [f"{each.method} {each.what}" for each in subject.gate.failures]
    return next(iter(failures), seen.stopped or "the execution fails")


def _insist_on_one_answer(subject: Subject, executions: Sequence[dict[str, Any]], choice: Mapping[str, int]) -> None:
    """Stop the rule if an engine that another fork builds and runs has other outputs, too.

    Raises:
        NotRun: Its outputs differ.
    """
    again = _built_in_a_fork(subject, choice)["executions"]
    for one, other in zip(executions, again, strict=True):
        tolerances = [tolerance_of(subject.case, each.dtype.name) for each in one["outputs"]]
        if first_difference(other["outputs"], one["outputs"], tolerances) is not None:
            raise NotRun("two engines compute different results from the same inputs: the rule cannot compare")
