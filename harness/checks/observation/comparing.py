"""Compare results with expected results, within a tolerance that depends on the type."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from harness.cases.case import Tolerance

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.cases.case import Case


@dataclasses.dataclass(frozen=True)
class ByTheLargest(Tolerance):
    """A tolerance whose ``rtol`` is relative to the output's largest finite value.

    If large terms of a sum cancel, the error of a small result is as large as theirs.
    """


#: The tolerances if the case has none. Outputs of other types must be equal.
DEFAULT_TOLERANCES = {
    "float32": ByTheLargest(rtol=1e-5, atol=1e-5),
    "float16": ByTheLargest(rtol=1e-2, atol=1e-2),
    "bfloat16": ByTheLargest(rtol=4e-2, atol=4e-2),
}


class Difference(msgspec.Struct, frozen=True):
    """The worst disagreement between two arrays.

    Attributes:
        where: The element, or the shape: ``outputs[0][1, 0, 3]``.
        expected: The expected value or shape.
        observed: The observed value or shape.
        count: The number of elements that disagree; 0 if the shapes do.
    """

    where: str
    expected: str
    observed: str
    count: int

    def __str__(self) -> str:
        others = f" ({self.count} elements differ)" if self.count > 1 else ""
        return f"{self.where}: expected {self.expected}, observed {self.observed}{others}"


def tolerance_of(case: Case, type_name: str) -> Tolerance:
    """Return the tolerance for outputs of a type: the case's, else the type's default, else exact."""
    if isinstance(case.tolerance, Tolerance):
        return case.tolerance
    if case.tolerance is not None and type_name in case.tolerance:
        return case.tolerance[type_name]
    return DEFAULT_TOLERANCES.get(type_name, Tolerance())


def first_difference(
    observed: Sequence[npt.NDArray[Any]],
    expected: Sequence[npt.NDArray[Any]],
    tolerances: Sequence[Tolerance] | None = None,
) -> Difference | None:
    """Return the worst difference in the first output that disagrees, or None if all outputs agree.

    ``tolerances`` has one entry for each output. Without it all elements must be equal. NaN equals NaN.
    """
    if len(observed) != len(expected):
        return Difference("outputs", f"{len(expected)} outputs", f"{len(observed)} outputs", 0)
    exact = [Tolerance()] * len(expected)
    for index, (got, want, tolerance) in enumerate(zip(observed, expected, tolerances or exact, strict=True)):
        difference = _difference(f"outputs[{index}]", np.asarray(got), np.asarray(want), tolerance)
        if difference is not None:
            return difference
    return None


def _difference(name: str, got: npt.NDArray[Any], want: npt.NDArray[Any], tolerance: Tolerance) -> Difference | None:
    if got.shape != want.shape:
        return Difference(f"{name}.shape", str(want.shape), str(got.shape), 0)
    with np.errstate(invalid="ignore", over="ignore"):
        a, b = got.astype(np.float64), want.astype(np.float64)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        of_all = np.abs(b[np.isfinite(b)]).max(initial=0.0) if isinstance(tolerance, ByTheLargest) else 0.0
        enough = tolerance.atol + tolerance.rtol * np.maximum(np.abs(b), of_all)
        near = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= enough)
        bad = ~(same | near)
        if not bad.any():
            return None
        gap = np.where(bad, np.abs(a - b), -1.0)
        gap = np.where(bad & ~np.isfinite(gap), np.inf, gap)
    place = tuple(int(i) for i in np.unravel_index(int(np.argmax(gap)), gap.shape))
    where = f"{name}[{', '.join(map(str, place))}]"
    return Difference(where, f"{want[place]!s}", f"{got[place]!s}", int(bad.sum()))
