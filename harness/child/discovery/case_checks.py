"""Find defects of a case before the plugin runs: its own functions fail, or no shape is valid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.cases.case import CaseError
from harness.checks.sampling.data import draw_inputs
from harness.checks.sampling.oracle import line_of, place_of, reference_outputs
from harness.checks.sampling.sampling import best_shapes
from harness.child.discovery.plugins import UsageProblem
from harness.contract.finding import CallbackFailedError, NotRun
from harness.process import failures

if TYPE_CHECKING:
    from harness.cases.case import Case
    from harness.checks.sampling.sampling import Shapes


def check_case(case: Case) -> None:
    """Refuse a case whose functions fail at its best shapes, and one that has no valid shape.

    Not a part of `discover`, which each request repeats: this calls the user's functions.

    Raises:
        UsageProblem: No shape is valid, or ``valid``, ``values`` or ``reference`` failed; the message names its line.
    """
    this = case.title
    try:
        shapes = best_shapes(case)
    except NotRun as nothing:
        raise UsageProblem(f"{this}: {nothing}; fix its valid or its profile") from nothing
    except CaseError as error:
        raise UsageProblem(f"{this}: {error}, in {place_of(case.valid)}") from error
    except Exception as error:
        raise UsageProblem(f"{this}: valid {_raised(error, case.valid)}") from error
    if case.reference is not None:
        _check_reference(this, case, shapes)


def _check_reference(this: str, case: Case, shapes: Shapes) -> None:
    try:
        arrays = draw_inputs(case, shapes, [entry.types[0] for entry in case.data_inputs], seed=0)
    except Exception as error:
        raise UsageProblem(f"{this}: values {_raised(error, _values_of(case))}") from error
    try:
        reference_outputs(case, shapes, arrays)
    except CallbackFailedError as error:
        raise UsageProblem(f"{this}: {error}, from {error.failure.where}") from error


def _values_of(case: Case) -> Any:
    """Return the first function that gives the values of an input."""
    return next((entry.values for entry in case.data_inputs if callable(entry.values)), None)


def _raised(error: Exception, function: Any) -> str:
    return f"raised {failures.named(error)}, in {line_of(error, function)}"
