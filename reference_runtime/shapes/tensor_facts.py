"""The known facts about a tensor before an execution: its dimensions, and the values of a small tensor.

Theory. An unknown dimension is -1, an unknown value is None. Only results that depend on an unknown are unknown. Values
are kept for small tensors alone, in row-major order. Integers and truth values can become dimensions. Real numbers are
kept in a separate attribute, because a dimension may be computed from them. ``most`` bounds the dimensions of a tensor
whose size depends on data. If it is None, the dimensions themselves are the bound.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.values.descriptions import Extents

UNKNOWN: Final = -1
MOST_VALUES: Final = 4096
"""Values of larger tensors are not kept: no shape needs so many."""

Values = tuple["int | None", ...]


class ValueFacts(Struct, frozen=True):
    """A tensor's dimensions (-1 if unknown), and the values of a small tensor (None if unknown)."""

    dims: Extents
    values: Values | None = None
    most: Extents | None = None
    reals: tuple[float | None, ...] | None = None
    """The values of a small tensor of real numbers; a tensor has these or ``values``, or neither."""

    @property
    def settled(self) -> bool:
        """Return whether every dimension is known."""
        return UNKNOWN not in self.dims

    @property
    def bound(self) -> Extents:
        """The upper bounds of the dimensions; -1 if there is none."""
        return self.dims if self.most is None else self.most


def are_kept(dims: Extents) -> bool:
    """Return whether values of a tensor of that shape are kept: its dimensions are known and it is small."""
    return UNKNOWN not in dims and prod(dims) <= MOST_VALUES


def traced(facts: ValueFacts) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]] | None:
    """Return the values in the tensor's shape, with 0 for unknown values, and a mask of known values.

    None if values cannot be traced: the tensor has none, or not all of its dimensions are known.
    """
    kept: Sequence[float | None] | None = facts.values if facts.reals is None else facts.reals
    if kept is None or not are_kept(facts.dims):
        return None
    known = np.array([value is not None for value in kept], np.bool_).reshape(facts.dims)
    dtype = np.int64 if facts.reals is None else np.float32
    return np.array([value or 0 for value in kept], dtype).reshape(facts.dims), known


def carried(dims: Extents, values: npt.NDArray[Any], known: npt.NDArray[np.bool_]) -> ValueFacts:
    """Return the facts of a tensor with these values; ``known`` is the mask of the known values."""
    pairs = list(zip(values.reshape(-1).tolist(), known.reshape(-1).tolist(), strict=True))
    if values.dtype.kind == "f":
        return ValueFacts(dims, reals=tuple(float(value) if sure else None for value, sure in pairs))
    return ValueFacts(dims, tuple(int(value) if sure else None for value, sure in pairs))


def mapped(facts: ValueFacts, compute: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> ValueFacts:
    """Return the facts about a tensor that ``compute`` makes from another tensor, element by element."""
    tracing = traced(facts)
    return ValueFacts(facts.dims) if tracing is None else carried(facts.dims, compute(tracing[0]), tracing[1])
