"""Find the real numbers of INT8 steps, as far as a case says."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.cases.case import Case

#: The INT8 scale of an output in those of the first input with one, so that it differs, as calibration gives it.
_OUTPUT_STEP = 1.5


def has_scales(case: Case) -> bool:
    """Return whether an input has a scale: the real number of one INT8 step."""
    return any(entry.scale is not None for entry in case.data_inputs)


def int8_scale(case: Case, position: int) -> float:
    """Return the scale of an INT8 tensor by its position among inputs and outputs; 1.0 where the case gives none."""
    inputs = case.data_inputs
    if position < len(inputs) and inputs[position].scale is not None:
        return float(inputs[position].scale or 1.0)
    first = next((entry.scale for entry in inputs if entry.scale is not None), None)
    return 1.0 if first is None else _OUTPUT_STEP * float(first)


def output_step(case: Case, index: int, type_name: str) -> float | None:
    """Return the real number of an output's step; None if it is not in steps."""
    if type_name != "int8" or not has_scales(case):
        return None
    return int8_scale(case, len(case.data_inputs) + index)
