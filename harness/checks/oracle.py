"""What a case's reference computes: the oracle that a plugin's shapes and values are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.data import shape_values
from harness.finding import CallbackFailedError, Mishap, NotRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.case import Case, Shape


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
        mishap = Mishap("the case's reference", how, f"reference(*arrays of shapes {sizes}, fields=...)")
        raise CallbackFailedError(mishap) from error
    return [np.asarray(value) for value in (wanted if isinstance(wanted, (tuple, list)) else (wanted,))]
