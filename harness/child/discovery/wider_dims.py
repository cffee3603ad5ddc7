"""Let dimensions of guessed inputs have more sizes, where the plugin takes them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.child.discovery.extents import telling_shapes, with_data_inputs

if TYPE_CHECKING:
    from harness.cases.case import Case
    from harness.cases.input import Input
    from harness.child.discovery.attempts import Attempts


def with_wider_dims(attempts: Attempts, case: Case) -> Case:
    """Let dimensions begin at 1, and let fixed ones vary, if the plugin runs with all sizes of the others."""
    for name in dict.fromkeys(dim for entry in case.data_inputs for dim in entry.dims or () if isinstance(dim, str)):
        case = _taken(attempts, case, _from_one(case, name), name)
    for index, entry in enumerate(case.data_inputs):
        for axis, dim in enumerate(entry.dims or ()):
            if isinstance(dim, int) and dim > 1:
                name = f"d{axis}_{index}"
                case = _taken(attempts, case, _replaced(case, index, _freed(case.inputs[index], axis, name)), name)
    return case


def _taken(attempts: Attempts, case: Case, wider: Case, name: str) -> Case:
    is_wider = wider != case
    return wider if is_wider and attempts.take(wider, *telling_shapes(wider, name)) else case


def _from_one(case: Case, name: str) -> Case:
    """Return the case in which a dimension is at least 1."""

    def lowered(entry: Input) -> Input:
        pairs = zip(entry.dims or (), entry.profile[0], strict=True)
        return dataclasses.replace(entry, min=tuple(min(low, 1) if dim == name else low for dim, low in pairs))

    return with_data_inputs(case, lowered)


def _freed(entry: Input, axis: int, name: str) -> Input:
    """Return the input in which a fixed dimension varies between 1 and twice its size."""
    (low, _, high), dims = (list(corner) for corner in entry.profile), list(entry.dims or ())
    dims[axis], low[axis], high[axis] = name, 1, 2 * high[axis]
    return dataclasses.replace(entry, dims=tuple(dims), min=tuple(low), max=tuple(high))


def _replaced(case: Case, index: int, entry: Input) -> Case:
    return dataclasses.replace(case, inputs=(*case.inputs[:index], entry, *case.inputs[index + 1 :]))
