"""Call a case's reference, which computes the expected outputs of a plugin."""

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


#: The range of INT8, and the steps that a right value may differ from the reference: 1, and the rounding of float32.
_LEAST, _GREATEST, _ENOUGH = -128, 127, 1.001
#: Kinds of NumPy's types whose values are no numbers: objects, texts, bytes and times.
_NO_NUMBERS = "OUSMm"
_REFERENCE = "the case's reference"


def reference_outputs(
    case: Case, shapes: Sequence[Shape], arrays: Sequence[npt.NDArray[Any]]
) -> list[npt.NDArray[Any]]:
    """Return the outputs that the case's reference computes from linear arrays, and from the values of shape inputs.

    Raises:
        NotRun: The case has no reference.
        CallbackFailedError: The reference raised an exception, or returned arrays that are not numbers. No rule may
            pass until the user has corrected the case.
    """
    if case.reference is None:
        raise NotRun(NO_REFERENCE)
    inputs = [*arrays, *shape_values(case, shapes)]
    fields = ", fields=..." if takes_fields(case.reference) else ""
    called = f"reference(*arrays of shapes {[list(array.shape) for array in inputs]}{fields})"
    try:
        answer = call_with_fields(case.reference, *inputs, fields=case.fields)
        outputs = [np.asarray(value) for value in (answer if isinstance(answer, (tuple, list)) else (answer,))]
    except (Exception, SystemExit) as error:
        if is_quit(error):
            raise
        how = f"raised {type(error).__name__}: {text_of(error)}"
        text = "".join(traceback.format_exception(error))
        raise CallbackFailedError(
            CallbackFailure(_REFERENCE, how, f"{called}, in {line_of(error, case.reference)}", stack=text)
        ) from error
    if any(output.dtype.kind in _NO_NUMBERS for output in outputs):
        how = f"returned arrays of {', '.join(str(output.dtype) for output in outputs)}, and not of numbers"
        raise CallbackFailedError(CallbackFailure(_REFERENCE, how, f"{called}, in {place_of(case.reference)}"))
    reference_doubts.note(inputs, outputs)
    return outputs


def line_of(error: BaseException, function: Any) -> str:
    """Return the file and line where the user's code raised an exception; if unknown, those of the function."""
    return stack.raised_at(error) or place_of(function)


def place_of(function: Any) -> str:
    """Return the file and line where a user's function is defined; if unknown, its ``repr``."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(function)


def quantized(expected: npt.NDArray[Any], observed: npt.NDArray[Any], step: float | None) -> npt.NDArray[Any]:
    """Return expected values to compare a quantized output with: the observed value if it is right, else the expected.

    ``step`` is the real number of one INT8 step; None for an output that is not quantized, whose values stay. A value
    is right within one step: half for rounding the output, and half for rounding inside the plugin.
    """
    if step is None or expected.shape != observed.shape:
        return expected
    saturated = np.clip(expected.astype(np.float64), _LEAST * step, _GREATEST * step)
    near = np.abs(saturated - observed) <= step * _ENOUGH
    return np.where(near, observed, saturated).astype(observed.dtype)
