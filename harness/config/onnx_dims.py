"""Choose the ranges of a model's dynamic dimensions: as the user says, or by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from harness.contract.suggestions import suggestion

OPTION = "--plugin-onnx-dims"
#: As many values of one dimension are all tried; of more of them, those near the ends and the best.
_FEW = 8
_PARTS = (1, 2, 3)


class DimsError(ValueError):
    """A usage error about a dimension; its message says what to write."""


class Range(msgspec.Struct, frozen=True):
    """The least, the best and the greatest values of a dimension."""

    low: int
    best: int
    high: int

    @property
    def values(self) -> tuple[int, ...]:
        """The dimensions to look at: all if they are few."""
        if self.high - self.low < _FEW:
            return tuple(range(self.low, self.high + 1))
        near = (self.low, self.low + 1, self.best - 1, self.best, self.best + 1, self.high - 1, self.high)
        return tuple(sorted({value for value in near if self.low <= value <= self.high}))

    def __str__(self) -> str:
        """Return it as the option spells it."""
        return f"{self.low}:{self.best}:{self.high}"


#: The values of a dimension that the user does not name.
DEFAULT = Range(1, 2, 4)


def parse(texts: Iterable[str]) -> dict[str, Range]:
    """Return what the values of the option say: ``N=4``, ``N=1:8`` or ``N=1:4:8``.

    Raises:
        DimsError: One of them has another form.
    """
    return dict(_parsed(text) for text in texts)


def _parsed(text: str) -> tuple[str, Range]:
    name, _, numbers = text.rpartition("=")
    parts = numbers.split(":")
    if not name or len(parts) not in _PARTS or not all(part.isdecimal() for part in parts):
        raise DimsError("write it as NAME=MIN:OPT:MAX, for example batch=1:4:8, or batch=4")
    extents = [int(part) for part in parts]
    found = Range(extents[0], extents[len(extents) // 2 if len(extents) == _PARTS[-1] else -1], extents[-1])
    if not found.low <= found.best <= found.high:
        raise DimsError("MIN must be at most OPT, and OPT at most MAX")
    return name, found


def settled(names: Iterable[str], given: Mapping[str, Range]) -> dict[str, Range]:
    """Return the range of each dimension of a model."""
    return {name: given.get(name, DEFAULT) for name in names}


def check(given: Iterable[str], names: Sequence[str]) -> None:
    """Look whether the models have the dimensions that were given.

    Raises:
        DimsError: They do not have one.
    """
    for name in given:
        if name not in names:
            known = f"{', '.join(names) or 'none'}{suggestion(name, names)}"
            raise DimsError(f"{OPTION}: there is no dynamic dimension {name!r} in the model, but {known}")
