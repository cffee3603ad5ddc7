"""Compare a run in some types and formats with the case's reference, or with a run in other formats."""

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


def difference_from_reference(driver: Driver, run: Run, expected: Arrays) -> Difference | None:
    """Return the first difference between a run's outputs and the reference's, beyond a tolerance; None if none.

    The tolerance is that of the coarsest type among the run's inputs and outputs.

    Raises:
        NotRun: An output has a type for which a case cannot name a tolerance.
    """
    unknown = [name for name in driver.tensors.output_types if name not in TYPE_NAMES]
    if unknown:
        raise NotRun(f"a case has no tolerance for outputs of {unknown[0]}")
    described = driver.tensors.descriptions(run.shapes)[1]
    if len(expected) != len(described):
        return first_difference(run.outputs, expected)
    converted = [_converted(value, desc) for value, desc in zip(expected, described, strict=True)]
    tolerances = [tolerance_of(driver.subject.case, name) for name in driver.tensors.types]
    coarsest = max(tolerances, key=lambda each: (each.rtol, each.atol))
    rounded = [_rounded(coarsest, *each) for each in zip(expected, described, strict=True)]
    return first_difference(run.outputs, converted, rounded)


def difference_from_twin(driver: Driver, run: Run, twin: Run) -> Difference | None:
    """Return the first gross difference between two runs with the same types in different formats; None if none.

    The tolerance is relative to the output's largest value, because the plugin's computation may be ill-conditioned.
    """
    described = driver.tensors.descriptions(run.shapes)[1]
    worst = max(each.rtol for each in DEFAULT_TOLERANCES.values())
    gross = [ByTheLargest(worst) if value.dtype.kind == "f" else Tolerance() for value in twin.outputs]
    near = [_rounded(*each) for each in zip(gross, twin.outputs, described, strict=True)]
    return first_difference(run.outputs, twin.outputs, near)


def _converted(value: npt.NDArray[Any], desc: Description) -> npt.NDArray[Any]:
    """Return values converted to a tensor's type and back: rounded, and infinite or saturated beyond its range."""
    if desc.type not in formats.REAL_TYPES or len(desc.dims) != value.ndim:
        return value
    sized = desc.sized(value.shape)
    return formats.from_device(formats.to_device(value, sized), sized)


def _rounded(tolerance: Tolerance, value: npt.NDArray[Any], desc: Description) -> Tolerance:
    """Return a tolerance; for an INT8 output that represents real numbers it is larger by one step, for rounding."""
    is_quantized = desc.type == DataType.INT8 and value.dtype.kind == "f"
    return dataclasses.replace(tolerance, atol=tolerance.atol + desc.scale) if is_quantized else tolerance
