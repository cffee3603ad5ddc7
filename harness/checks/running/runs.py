"""Compare runs of plugins: calls of ``enqueue`` with the same data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from msgspec import structs

from harness.checks.formats.choices import default_combination
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.in_a_fork import apart
from harness.checks.running.driver import Run, fresh_driver
from harness.checks.running.single_run import APART, LENIENT
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import NotRun
from reference_runtime.instruments import NeedsHost

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.checks.formats.formats import Combination
    from harness.checks.observation.comparing import Difference
    from harness.checks.running.driver import Driver
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

    Outputs = Sequence[npt.NDArray[Any]]

__all__ = [
    "APART",
    "LENIENT",
    "deviation",
    "difference_from_another",
    "difference_of",
    "insist_on_one_answer",
    "outputs_in_reverse",
    "usual_run",
]

#: A byte to fill outputs and workspace with before a run, unlike the usual byte.
_OTHER_POISON = 0x3B


def usual_run(subject: Subject, shapes: Shapes, combination: Combination | None = None, *, salt: str = "") -> Run:
    """Return a run of a new plugin that is configured for the build, initialized and configured for the shapes.

    The plugin runs once in a process, for all rules that use this run. A failure of ``enqueue`` is recorded in the run.
    Rules that do not judge it call :meth:`Run.insist`. Another ``salt`` gives other data.

    Raises:
        CallbackFailedError: Another callback failed.
    """

    def run() -> Run:
        driver = fresh_driver(subject, combination)
        return driver.run(shapes, driver.tensors.draw(shapes, salt), LENIENT)

    return subject.known(("run", combination or default_combination(subject), shapes, salt), run)


def outputs_in_reverse(subject: Subject, shapes: Sequence[Shapes]) -> list[Outputs | None]:
    """Return the outputs of new plugins for some shapes, in a fork that runs the last shapes first.

    The outputs are None if ``enqueue`` fails. All are None if this process uses CUDA, which does not work in a fork.

    Raises:
        CallbackFailedError: Another callback failed.
    """

    def outputs() -> list[Outputs | None]:
        results: list[Outputs | None] = []
        for each in reversed(shapes):
            driver = fresh_driver(subject)
            run = driver.run(each, driver.tensors.draw(each), LENIENT)
            results.append(run.outputs if run.failure is None else None)
        return results[::-1]

    try:
        return cast("list[Outputs | None]", apart(outputs))
    except NeedsHost:
        return [None] * len(shapes)


def deviation(driver: Driver, run: Run, expected: Run | Outputs) -> str:
    """Return in words how a run of ``driver`` failed, or differs from an expected run; empty if neither.

    Raises:
        NotRun: Two new plugins compute different results from the same data, so a difference means nothing.
    """
    if run.failure is not None:
        return f"enqueue {run.failure.how}"
    difference = difference_of(driver, run, expected)
    if difference is None:
        return ""
    insist_on_one_answer(driver, run.shapes, run.inputs)
    return str(difference)


def is_alike_alone(driver: Driver, run: Run) -> bool:
    """Return whether a new plugin that runs alone computes the same outputs from the inputs of a run."""
    alone = driver.another().run(run.shapes, run.inputs, LENIENT)
    return alone.failure is None and difference_of(driver, run, alone) is None


def difference_from_another(driver: Driver, run: Run) -> Difference | None:
    """Return the first difference from a run of a new plugin whose memory had other contents before; None if none.

    Raises:
        CallbackFailedError: The new plugin failed.
        NotRun: Two new plugins compute different results from the same data, so a difference means nothing.
    """
    conditions = structs.replace(LENIENT, poison=_OTHER_POISON)
    difference = difference_of(driver, run, driver.another().run(run.shapes, run.inputs, conditions).insist())
    if difference is not None:
        insist_on_one_answer(driver, run.shapes, run.inputs)
    return difference


def insist_on_one_answer(driver: Driver, shapes: Shapes, inputs: Outputs) -> None:
    """Stop a rule that has found a difference, if two new plugins differ for the same inputs, too.

    The two run with these inputs, and with generated inputs at the optimal shapes. With only a few elements, random
    results may agree by chance.

    Raises:
        NotRun: Two new plugins compute different results from the same inputs.
    """
    best = best_shapes(driver.subject.case)
    for data in ((shapes, inputs), (best, driver.tensors.draw(best))):
        again = [fresh_driver(driver.subject, driver.combination).run(*data, LENIENT) for _ in range(2)]
        if all(each.failure is None for each in again) and difference_of(driver, *again) is not None:
            raise NotRun("two new plugins compute different results from the same inputs: the rule cannot compare")


def difference_of(driver: Driver, run: Run, expected: Run | Outputs) -> Difference | None:
    """Return the first difference between a run of ``driver`` and an expected run, beyond the types' tolerances."""
    tolerances = [tolerance_of(driver.subject.case, name) for name in driver.tensors.output_types]
    return first_difference(run.outputs, expected.outputs if isinstance(expected, Run) else expected, tolerances)
