"""Compare results with the case's reference, in types that the plugin accepts and the case does not name."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from harness.cases.case import TYPE_NAMES, Tolerance
from harness.checks.formats.formats import accepted_combinations
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.checks.observation.comparing import DEFAULT_TOLERANCES, ByTheLargest, first_difference
from harness.checks.running.runs import usual_run
from harness.checks.sampling.oracle import reference_outputs
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import CallbackFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.formats.formats import Combination
    from harness.subject.subject import Subject

#: The most choices of input types that are compared.
_MOST = 6
#: The tolerances, since the case has none for these types: those of the coarsest type. Integers have ``atol`` 1.
_REAL = ByTheLargest(rtol=DEFAULT_TOLERANCES["bfloat16"].rtol, atol=DEFAULT_TOLERANCES["bfloat16"].atol)
_WHOLE = dataclasses.replace(_REAL, atol=1.0)


def combinations_beyond_the_case(subject: Subject) -> Iterator[Combination]:
    """Yield an accepted combination for each of the first choices of input types that the case does not name.

    Combinations with INT8 are left out, because the scale of its values is unknown. So are those with types that a case
    cannot name.
    """
    known = {tuple(names) for names in subject.case.type_choices}
    most = len(known) + _MOST
    for combination in accepted_combinations(RecordedAnswers(subject)):
        names = tuple(subject.type_name(dtype) for dtype, _ in combination.forms)
        choice = names[: combination.num_inputs]
        if choice in known or len(known) == most:
            continue
        known.add(choice)
        if set(names) <= set(TYPE_NAMES) - {"int8"}:
            yield combination


def problem_beyond_the_case(subject: Subject, combination: Combination) -> str | None:
    """Return how a run fails, or how its outputs differ from the case's reference; empty if neither.

    None if the case has no reference, or its reference fails or returns other kinds of types for these inputs.
    """
    run = usual_run(subject, best_shapes(subject.case), combination)
    if run.failure is not None:
        return f"enqueue {run.failure.how}"
    if subject.case.reference is None:
        return None
    try:
        with np.errstate(all="ignore"):
            expected = reference_outputs(subject.case, run.shapes, run.inputs)
    except CallbackFailedError:
        return None
    if any(one.dtype.kind != other.dtype.kind for one, other in zip(expected, run.outputs, strict=False)):
        return None
    return str(first_difference(run.outputs, expected, [_tolerance(each.dtype.kind) for each in run.outputs]) or "")


def _tolerance(kind: str) -> Tolerance:
    return {"f": _REAL, "i": _WHOLE, "u": _WHOLE}.get(kind, Tolerance())
