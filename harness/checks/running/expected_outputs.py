"""Compute the expected outputs of a combination: the reference's values in their types, and the tolerance."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from harness.cases.case import TYPE_NAMES, Tolerance
from harness.checks.observation.comparing import DEFAULT_TOLERANCES, ByTheLargest, first_difference, tolerance_of
from harness.contract.finding import NotRun
from reference_runtime.values import formats
from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.checks.observation.comparing import Difference
    from harness.checks.running.driver import Driver, Run
    from reference_runtime.values.descriptions import Description

    Arrays = Sequence[npt.NDArray[Any]]


def difference_from_reference(driver: Driver, run: Run, wanted: Arrays) -> Difference | None:
    """Return where a run differs from the case's reference by more than the coarsest type of its combination allows.

    Raises:
        NotRun: An output has a type without a tolerance.
    """
    strange = [name for name in driver.tensors.output_types if name not in TYPE_NAMES]
    if strange:
        raise NotRun(f"a case has no tolerance for outputs of {strange[0]}")
    described = driver.tensors.descriptions(run.shapes)[1]
    if len(wanted) != len(described):
        return first_difference(run.outputs, wanted)
    held = [_as_held(value, desc) for value, desc in zip(wanted, described, strict=True)]
    tolerances = [tolerance_of(driver.subject.case, name) for name in driver.tensors.types]
    near = max(tolerances, key=lambda each: (each.rtol, each.atol))
    rounded = [_rounded(near, *each) for each in zip(wanted, described, strict=True)]
    return first_difference(run.outputs, held, rounded)


def difference_from_twin(driver: Driver, run: Run, twin: Run) -> Difference | None:
    """Return where a run differs grossly from one of the same types in other layouts.

    The conditioning is unknown, so the tolerance is relative to the output's largest value.
    """
    described = driver.tensors.descriptions(run.shapes)[1]
    worst = max(each.rtol for each in DEFAULT_TOLERANCES.values())
    gross = [ByTheLargest(worst) if value.dtype.kind == "f" else Tolerance() for value in twin.outputs]
    near = [_rounded(*each) for each in zip(gross, twin.outputs, described, strict=True)]
    return first_difference(run.outputs, twin.outputs, near)


def _as_held(value: npt.NDArray[Any], desc: Description) -> npt.NDArray[Any]:
    """Return what is left of values in a tensor of their type: rounded, and infinite or saturated beyond its range."""
    if desc.type not in formats.REAL_TYPES or len(desc.dims) != value.ndim:
        return value
    there = desc.sized(value.shape)
    return formats.from_device(formats.to_device(value, there), there)


def _rounded(near: Tolerance, value: npt.NDArray[Any], desc: Description) -> Tolerance:
    """Return the tolerance with one step of an INT8 output whose values are real numbers: rounding is the plugin's."""
    is_quantized = desc.type == DataType.INT8 and value.dtype.kind == "f"
    return dataclasses.replace(near, atol=near.atol + desc.scale) if is_quantized else near
