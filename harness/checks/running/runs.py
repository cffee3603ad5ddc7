"""Compare runs with each other: two ``enqueue`` calls on the same data."""

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

#: The contents of memory before a run, if not the usual contents.
_OTHER_POISON = 0x3B


def usual_run(subject: Subject, shapes: Shapes, combination: Combination | None = None, *, salt: str = "") -> Run:
    """Return what a new plugin does that was configured for the build, made ready and configured for the shapes.

    It runs once for all rules that look at what it did, or compare with it. A failure of ``enqueue`` is in the run.
    Rules that are not about it require a run without a failure. Another ``salt`` gives other data.

    Raises:
        CallbackFailedError: Another callback failed.
    """

    def run() -> Run:
        driver = fresh_driver(subject, combination)
        return driver.run(shapes, driver.tensors.draw(shapes, salt), LENIENT)

    return subject.known(("run", combination or default_combination(subject), shapes, salt), run)


def outputs_in_reverse(subject: Subject, shapes: Sequence[Shapes]) -> list[Outputs | None]:
    """Return what new plugins compute in a process that sees the last of some shapes first.

    It is None where ``enqueue`` fails. It is None for all shapes where this process uses CUDA, which a fork cannot use.

    Raises:
        CallbackFailedError: Another callback failed.
    """

    def outputs() -> list[Outputs | None]:
        found: list[Outputs | None] = []
        for each in reversed(shapes):
            driver = fresh_driver(subject)
            run = driver.run(each, driver.tensors.draw(each), LENIENT)
            found.append(run.outputs if run.mishap is None else None)
        return found[::-1]

    try:
        return cast("list[Outputs | None]", apart(outputs))
    except NeedsHost:
        return [None] * len(shapes)


def deviation(driver: Driver, run: Run, wanted: Run | Outputs) -> str:
    """Return in words how a run on ``driver`` deviates from the wanted one; empty where it does not.

    Raises:
        NotRun: New plugins compute different things from the same data anyhow, so that this says nothing.
    """
    if run.mishap is not None:
        return f"enqueue {run.mishap.how}"
    difference = difference_of(driver, run, wanted)
    if difference is None:
        return ""
    insist_on_one_answer(driver, run.shapes, run.inputs)
    return str(difference)


def is_alike_alone(driver: Driver, run: Run) -> bool:
    """Return whether a new plugin that runs alone computes the same outputs from the inputs of a run."""
    alone = driver.another().run(run.shapes, run.inputs, LENIENT)
    return alone.mishap is None and difference_of(driver, run, alone) is None


def difference_from_another(driver: Driver, run: Run) -> Difference | None:
    """Return where a run differs from that of a new plugin in whose memory something else was.

    Raises:
        NotRun: New plugins compute different things from the same data anyhow.
    """
    elsewhere = structs.replace(LENIENT, poison=_OTHER_POISON)
    difference = difference_of(driver, run, driver.another().run(run.shapes, run.inputs, elsewhere).insist())
    if difference is not None:
        insist_on_one_answer(driver, run.shapes, run.inputs)
    return difference


def insist_on_one_answer(driver: Driver, shapes: Shapes, inputs: Outputs) -> None:
    """Stop a rule that has found a difference where that says nothing.

    It compares these inputs and the inputs at the best shapes. Random results of few elements may agree by chance.

    Raises:
        NotRun: Two new plugins compute different things from the same data.
    """
    best = best_shapes(driver.subject.case)
    for data in ((shapes, inputs), (best, driver.tensors.draw(best))):
        again = [fresh_driver(driver.subject, driver.combination).run(*data, LENIENT) for _ in range(2)]
        if all(each.mishap is None for each in again) and difference_of(driver, *again) is not None:
            raise NotRun("two new plugins compute different results from the same inputs: the rule cannot compare")


def difference_of(driver: Driver, run: Run, wanted: Run | Outputs) -> Difference | None:
    """Return where the outputs of two runs on ``driver`` differ by more than their types' tolerance."""
    tolerances = [tolerance_of(driver.subject.case, name) for name in driver.tensors.output_types]
    return first_difference(run.outputs, wanted.outputs if isinstance(wanted, Run) else wanted, tolerances)
