"""Mix special values such as infinities with usual inputs, and compare their effect on outputs with the reference's."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.cases.case import Case

    Arrays = Sequence[npt.NDArray[Any]]

#: Fewer numbers may all become zero by chance, as a difference of large numbers does in FP16.
_FEWEST = 4
#: The least number that FP16 has at full precision.
_LEAST = float(np.finfo(np.float16).tiny)
#: Types whose values may be infinite.
_REAL = ("float32", "float16", "bfloat16")


class Special(enum.Enum):
    """A group of special values that are mixed into the inputs, with its name in messages."""

    EXTREME = "large and tiny values and zeros", (1000.0, 0.0, -1000.0, 1e-7, -0.0, -1e-7)
    INFINITE = "infinities", (np.inf, -np.inf)
    NOT_A_NUMBER = "values that are not numbers", (np.nan,)

    def __init__(self, words: str, values: tuple[float, ...]) -> None:
        self.words = words
        self.values = values


def strewn(case: Case, arrays: Arrays, types: Sequence[str], special: Special) -> list[npt.NDArray[Any]]:
    """Return copies of the inputs with special values at some places, except inputs whose values the case restricts."""
    results = []
    for place, (entry, array, name) in enumerate(zip(case.data_inputs, arrays, types, strict=True)):
        changed = array.copy()
        if entry.values is None and name in _REAL and array.size:
            values = special.values[: array.size]
            step = max(array.size // len(values), 1)
            changed.reshape(-1)[[(place + index * step) % array.size for index in range(len(values))]] = values
        results.append(changed)
    return results


def faint(case: Case, arrays: Arrays, types: Sequence[str]) -> list[npt.NDArray[Any]] | None:
    """Return the inputs divided by 1024; None if the case restricts their values, or not all are FLOAT."""
    if {*types} != {"float32"} or any(entry.values is not None for entry in case.data_inputs):
        return None
    return [array / np.float32(1024) for array in arrays]


def fate(special: Special, outputs: Arrays, expected: Arrays) -> str:
    """Return the first output in which a special value was lost, or arose from usual values, in words; or "".

    Rows that became zero for extreme values count, too: a quotient by a sum that overflowed is zero.
    If the inputs have NaN, only a lost NaN counts. Otherwise NaN in expected outputs does not count: the reference
    may compute it from usual values.
    """
    for index, (got, want) in enumerate(zip(outputs, expected, strict=True)):
        if got.shape != want.shape or got.dtype.kind != "f" or want.dtype.kind != "f":
            continue
        is_nan = special is Special.NOT_A_NUMBER
        lost = np.isfinite(got) & (np.isnan(want) if is_nan else np.isinf(want))
        made = np.zeros_like(lost) if is_nan else ~np.isfinite(got) & np.isfinite(want) | np.isnan(got) & np.isinf(want)
        zeros = _rows_of_zeros(got, want) if special is Special.EXTREME else np.zeros_like(lost)
        for bad in (lost, made, zeros):
            if bad.any():
                place = tuple(int(n) for n in np.unravel_index(int(np.argmax(bad)), bad.shape))
                where = f"outputs[{index}][{', '.join(map(str, place))}]"
                return f"{where}: expected {want[place]}, observed {got[place]} ({int(bad.sum())} elements)"
    return ""


def _rows_of_zeros(got: npt.NDArray[Any], want: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return the elements that are expected to be finite numbers in rows that are all zero."""
    is_number = np.isfinite(want) & (np.abs(want) > _LEAST)
    if not got.ndim:
        return np.zeros_like(is_number)
    is_lost = (got == 0).all(axis=-1, keepdims=True) & (is_number.sum(axis=-1, keepdims=True) >= _FEWEST)
    lost: npt.NDArray[np.bool_] = is_lost & is_number
    return lost
