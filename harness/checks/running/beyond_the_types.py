"""Compare results in accepted types that the case lacks with the case's reference."""

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

#: How many choices of types are looked at.
_MOST = 6
#: What is near where nobody has said so: the coarsest type, and integers that are rounded in either way.
_REAL = ByTheLargest(rtol=DEFAULT_TOLERANCES["bfloat16"].rtol, atol=DEFAULT_TOLERANCES["bfloat16"].atol)
_WHOLE = dataclasses.replace(_REAL, atol=1.0)


def combinations_beyond_the_case(subject: Subject) -> Iterator[Combination]:
    """Yield an accepted combination for each choice of input types that the case lacks, up to a number.

    INT8 is left out, because the scale of its values is unknown. Types without a name in cases are left out, too.
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
    """Return how a combination's results differ grossly from the case's reference for the same values.

    Empty if it does not. None where the case's reference does not take these values.
    """
    run = usual_run(subject, best_shapes(subject.case), combination)
    if run.mishap is not None:
        return f"enqueue {run.mishap.how}"
    if subject.case.reference is None:
        return None
    try:
        with np.errstate(all="ignore"):
            wanted = reference_outputs(subject.case, run.shapes, run.inputs)
    except CallbackFailedError:
        return None
    if any(want.dtype.kind != got.dtype.kind for want, got in zip(wanted, run.outputs, strict=False)):
        return None
    return str(first_difference(run.outputs, wanted, [_near(got.dtype.kind) for got in run.outputs]) or "")


def _near(kind: str) -> Tolerance:
    return {"f": _REAL, "i": _WHOLE, "u": _WHOLE}.get(kind, Tolerance())
