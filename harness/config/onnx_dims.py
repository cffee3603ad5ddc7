"""Choose the ranges of a model's dynamic dimensions: those of ``--plugin-onnx-dims``, or the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from harness.contract.suggestions import suggestion

OPTION = "--plugin-onnx-dims"
#: A range with at most this many values is tried in full. Otherwise the values near its ends and its best are tried.
_FEW = 8
_PARTS = (1, 2, 3)


class DimsError(ValueError):
    """A usage error about a dimension; its message says what to write."""


class Range(msgspec.Struct, frozen=True):
    """The least, the best (OPT) and the greatest value of a dimension."""

    low: int
    best: int
    high: int

    @property
    def values(self) -> tuple[int, ...]:
        """Return the values to try: all if they are few, else those near the ends and the best."""
        if self.high - self.low < _FEW:
            return tuple(range(self.low, self.high + 1))
        near = (self.low, self.low + 1, self.best - 1, self.best, self.best + 1, self.high - 1, self.high)
        return tuple(sorted({value for value in near if self.low <= value <= self.high}))

    def __str__(self) -> str:
        """Return the range as the option spells it: ``1:2:4``."""
        return f"{self.low}:{self.best}:{self.high}"


#: The range of a dimension that the option does not name.
DEFAULT = Range(1, 2, 4)


def parse(texts: Iterable[str]) -> dict[str, Range]:
    """Return the ranges by the dimension's name; a text is ``N=4``, ``N=1:8`` (best: 8) or ``N=1:4:8``.

    Raises:
        DimsError: A text has another form, or its numbers are not in order.
    """
    return dict(_parsed(text) for text in texts)


def _parsed(text: str) -> tuple[str, Range]:
    name, _, numbers = text.rpartition("=")
    parts = numbers.split(":")
    if not name or len(parts) not in _PARTS or not all(part.isdecimal() for part in parts):
        raise DimsError("write it as NAME=MIN:OPT:MAX, for example batch=1:4:8, or batch=4")
    extents = [int(part) for part in parts]
    chosen = Range(extents[0], extents[len(extents) // 2 if len(extents) == _PARTS[-1] else -1], extents[-1])
    if not chosen.low <= chosen.best <= chosen.high:
        raise DimsError("MIN must be at most OPT, and OPT at most MAX")
    return name, chosen


def settled(names: Iterable[str], ranges: Mapping[str, Range]) -> dict[str, Range]:
    """Return the range of each dimension of a model: the given range, or the default."""
    return {name: ranges.get(name, DEFAULT) for name in names}


def check(chosen_names: Iterable[str], names: Sequence[str]) -> None:
    """Check that the models have the dimensions that the option names.

    Raises:
        DimsError: The models do not have a dimension with this name.
    """
    for name in chosen_names:
        if name not in names:
            known = f"{', '.join(names) or 'none'}{suggestion(name, names)}"
            raise DimsError(f"{OPTION}: there is no dynamic dimension {name!r} in the model, but {known}")
