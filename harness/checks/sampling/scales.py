"""Return the scales of INT8 tensors. A scale is the real number of one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.cases.case import Case

#: The scale of an INT8 output, relative to that of the first input with a scale. So both differ, as after calibration.
_OUTPUT_STEP = 1.5


def has_scales(case: Case) -> bool:
    """Return whether a data input of the case has a scale."""
    return any(entry.scale is not None for entry in case.data_inputs)


def int8_scale(case: Case, position: int) -> float:
    """Return the scale of an INT8 tensor by its position among inputs and outputs; 1.0 if there is none."""
    inputs = case.data_inputs
    if position < len(inputs) and inputs[position].scale is not None:
        return float(inputs[position].scale or 1.0)
    first = next((entry.scale for entry in inputs if entry.scale is not None), None)
    return 1.0 if first is None else _OUTPUT_STEP * float(first)


def output_step(case: Case, index: int, type_name: str) -> float | None:
    """Return the scale of an output by its index; None for other types, or without scales."""
    if type_name != "int8" or not has_scales(case):
        return None
    return int8_scale(case, len(case.data_inputs) + index)
