"""Let dimensions that guessed inputs have in common vary apart, where the plugin takes that."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING

from harness.checks.sampling.sampling import best_shapes, corner_shapes
from harness.child.discovery.extents import shapes_along, shapes_between

if TYPE_CHECKING:
    from harness.cases.case import Case
    from harness.cases.input import Input
    from harness.checks.sampling.sampling import Shapes
    from harness.child.discovery.attempts import Attempts


def with_separate_dims(attempts: Attempts, case: Case) -> Case:
    """Give each dimension its own name, if the plugin runs with all sizes of the others.

    A matrix product of two squares becomes one of a 2x8 and an 8x16 matrix.
    """
    for index, entry in enumerate(case.data_inputs if len(case.inputs) > 1 else ()):
        for axis, name in enumerate(entry.dims or ()):
            if isinstance(name, str) and _uses(case)[name] > 1:
                separate = f"{name}_{index}"
                changed = _replaced(case, index, _with_own(case.inputs[index], axis, separate))
                if attempts.take(changed, *_telling_shapes(changed, name, separate)):
                    case = changed
    return case


def _telling_shapes(case: Case, *names: str) -> list[Shapes]:
    """Return shapes in which one of the dimensions is smaller, greater, and as great as others."""
    along = (shapes for name in names for shapes in shapes_along(case, name))
    return [best_shapes(case), *corner_shapes(case), *shapes_between(case), *along]


def _uses(case: Case) -> Counter[int | str]:
    return Counter(dim for entry in case.data_inputs for dim in entry.dims or ())


def _with_own(entry: Input, axis: int, name: str) -> Input:
    """Return the input with a dimension of another name, and other values between the same least one and twice."""
    low, best, high = (list(corner) for corner in entry.profile)
    best[axis], high[axis] = high[axis], 2 * high[axis]
    dims = list(entry.dims or ())
    dims[axis] = name
    return dataclasses.replace(entry, dims=tuple(dims), min=tuple(low), opt=tuple(best), max=tuple(high))


def _replaced(case: Case, index: int, entry: Input) -> Case:
    return dataclasses.replace(case, inputs=(*case.inputs[:index], entry, *case.inputs[index + 1 :]))
