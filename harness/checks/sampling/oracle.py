"""Compute a case's reference: a plugin's shapes and values are compared with it."""

from __future__ import annotations

import inspect
import traceback
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.cases.functions import call_with_fields, takes_fields
from harness.checks.sampling import reference_doubts
from harness.checks.sampling.data import shape_values
from harness.contract.finding import CallbackFailedError, CallbackFailure, NotRun
from harness.contract.verdict import NO_REFERENCE
from harness.process import stack
from reference_runtime.instruments import is_quit, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.cases.case import Case, Shape


#: The values of an INT8 tensor, and how many steps a right one is away at most, with what float32 loses.
_LEAST, _GREATEST, _ENOUGH = -128, 127, 1.001
#: Kinds of NumPy's types whose values are no numbers: objects, texts, bytes and times.
_NO_NUMBERS = "OUSMm"
_REFERENCE = "the case's reference"


def reference_outputs(
    case: Case, shapes: Sequence[Shape], arrays: Sequence[npt.NDArray[Any]]
) -> list[npt.NDArray[Any]]:
    """Return what the case's reference computes from linear real-number data, and from the values of shape inputs.

    Raises:
        NotRun: The case has no reference.
        CallbackFailedError: It raised, or returned no array. The case has to be corrected, and no rule may pass
            meanwhile.
    """
    if case.reference is None:
        raise NotRun(NO_REFERENCE)
    given = [*arrays, *shape_values(case, shapes)]
    fields = ", fields=..." if takes_fields(case.reference) else ""
    called = f"reference(*arrays of shapes {[list(array.shape) for array in given]}{fields})"
    try:
        wanted = call_with_fields(case.reference, *given, fields=case.fields)
        outputs = [np.asarray(value) for value in (wanted if isinstance(wanted, (tuple, list)) else (wanted,))]
    except (Exception, SystemExit) as error:
        if is_quit(error):
            raise
        how = f"raised {type(error).__name__}: {text_of(error)}"
        told = "".join(traceback.format_exception(error))
        raise CallbackFailedError(
            CallbackFailure(_REFERENCE, how, f"{called}, in {line_of(error, case.reference)}", stack=told)
        ) from error
    if any(output.dtype.kind in _NO_NUMBERS for output in outputs):
        how = f"returned arrays of {', '.join(str(output.dtype) for output in outputs)}, and not of numbers"
        raise CallbackFailedError(CallbackFailure(_REFERENCE, how, f"{called}, in {place_of(case.reference)}"))
    reference_doubts.note(given, outputs)
    return outputs


def line_of(error: BaseException, function: Any) -> str:
    """Return file and line where a function of the user's raised, or is written if the call failed."""
    return stack.raised_at(error) or place_of(function)


def place_of(function: Any) -> str:
    """Return file and line where a function of the user's is written; if unknown, its description."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(function)


def quantized(wanted: npt.NDArray[Any], observed: npt.NDArray[Any], step: float | None) -> npt.NDArray[Any]:
    """Return what a quantized output is to be: what was observed where that is right, else the real number.

    ``step`` is the real number of one INT8 step, None for an output that is not quantized. Half a step is lost by
    rounding, and as much again by rounding in between.
    """
    if step is None or wanted.shape != observed.shape:
        return wanted
    saturated = np.clip(wanted.astype(np.float64), _LEAST * step, _GREATEST * step)
    near = np.abs(saturated - observed) <= step * _ENOUGH
    return np.where(near, observed, saturated).astype(observed.dtype)
