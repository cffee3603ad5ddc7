"""Record the ranges of the data on which a program executes its plugins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

#: Data on both sides of zero that are all nearer to zero than this need no range: the usual random data are similar.
_USUAL = 8
#: The number of digits of a bound that are kept.
_DIGITS = 3


class Ranges:
    """The least and the greatest value of each input of each plugin, by the plugin's key."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], tuple[float, float, bool]] = {}

    def see(self, key: str, place: int, data: np.ndarray[Any, Any]) -> None:
        """Extend the range of an input by its data; empty data, and data that are not all finite, are ignored."""
        if not data.size or not np.isfinite(data).all():
            return
        low, high = float(data.min()), float(data.max())
        before = self._seen.get((key, place), (low, high, False))
        self._seen[key, place] = min(low, before[0]), max(high, before[1]), data.dtype.kind in "iub"

    def of(self, key: str, place: int) -> tuple[float, float] | None:
        """Return the range for an input's random values; None for the usual random values."""
        low, high, is_whole = self._seen.get((key, place), (-1.0, 1.0, False))
        if is_whole:
            return int(low), int(high)
        if low == high or (low < 0 < high and max(-low, high) < _USUAL):
            return None
        return _rounded(low, math.floor), _rounded(high, math.ceil)


def _rounded(value: float, round_to: Any) -> float:
    if value == 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - _DIGITS + 1)
    return float(f"{round_to(value / unit) * unit:.{_DIGITS}g}")
