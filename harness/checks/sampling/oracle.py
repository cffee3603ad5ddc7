"""What a case's reference computes: the oracle that a plugin's shapes and values are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.sampling.data import shape_values
from harness.contract.finding import CallbackFailedError, CallbackFailure, NotRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.cases.case import Case, Shape


#: The values of an INT8 tensor, and how many steps a right one is away at most, with what float32 loses.
_LEAST, _GREATEST, _ENOUGH = -128, 127, 1.001


def reference_outputs(
    case: Case, shapes: Sequence[Shape], arrays: Sequence[npt.NDArray[Any]]
) -> list[npt.NDArray[Any]]:
    """Return what the case's reference computes from linear real-number data, and from the values of shape inputs.

    Raises:
        NotRun: The case has no reference.
        CallbackFailedError: It failed: the case is to be mended, and nothing must be green meanwhile.
    """
    if case.reference is None:
        raise NotRun("the case has no reference to compare outputs with")
    given = [*arrays, *shape_values(case, shapes)]
    try:
        wanted = case.reference(*given, fields=dict(case.fields))
    except Exception as error:
        sizes = [list(array.shape) for array in given]
        how = f"raised {type(error).__name__}: {error}"
        mishap = CallbackFailure("the case's reference", how, f"reference(*arrays of shapes {sizes}, fields=...)")
        raise CallbackFailedError(mishap) from error
    return [np.asarray(value) for value in (wanted if isinstance(wanted, (tuple, list)) else (wanted,))]


def quantized(wanted: npt.NDArray[Any], observed: npt.NDArray[Any], step: float | None) -> npt.NDArray[Any]:
    """Return what a quantized output is to be: what was observed where that is right, else the real number.

    ``step`` is what one INT8 step stands for, None for an output that is not quantized. Half a step is lost by
    rounding, and as much again by rounding in between.
    """
    if step is None or wanted.shape != observed.shape:
        return wanted
    saturated = np.clip(wanted.astype(np.float64), _LEAST * step, _GREATEST * step)
    near = np.abs(saturated - observed) <= step * _ENOUGH
    return np.where(near, observed, saturated).astype(observed.dtype)
