"""Note what makes a case's reference doubtful, where it is computed: plain facts, and no failures."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    Arrays = Sequence[npt.NDArray[Any]]

CONSTANT = "its reference is constant"
NOT_FINITE = "its reference has no finite value"
ITS_INPUT = "its reference equals one of its inputs"

#: The lists of those who watch, the innermost last.
_watching: list[list[frozenset[str]]] = []


@contextlib.contextmanager
def watching_references() -> Iterator[list[frozenset[str]]]:
    """Collect what :func:`note` finds meanwhile, an entry for each computation that can show anything."""
    seen: list[frozenset[str]] = []
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.remove(seen)


def note(given: Arrays, wanted: Arrays) -> None:
    """Note what is doubtful about a reference's outputs ``wanted`` for the inputs ``given``, arrays of any shape.

    It notes nothing if no rule watches, or if no input has two values: then any output may be constant.
    """
    if _watching and any(_varies(array) for array in given) and any(array.size > 1 for array in wanted):
        _watching[-1].append(frozenset(_doubts(given, wanted)))


def _doubts(given: Arrays, wanted: Arrays) -> Iterator[str]:
    if not any(_finite(array).any() for array in wanted):
        yield NOT_FINITE
    elif not any(_varies(array) for array in wanted):
        yield CONSTANT
    elif all(any(_equal(value, array) for array in given) for value in wanted):
        yield ITS_INPUT


def _finite(array: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    return np.isfinite(array) if array.dtype.kind in "fc" else np.ones(array.shape, bool)


def _varies(array: npt.NDArray[Any]) -> bool:
    return array.size > 1 and bool((array != array.flat[0]).any())


def _equal(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one.shape == other.shape and bool((one == other).all())
