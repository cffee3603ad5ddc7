"""Record properties that make a case's reference doubtful, such as constant outputs, whenever it is called."""

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

#: The lists of the active blocks of :func:`watching_references`, the innermost last.
_watching: list[list[frozenset[str]]] = []


@contextlib.contextmanager
def watching_references() -> Iterator[list[frozenset[str]]]:
    """Give a list, to which :func:`note` appends the doubts about each call of a reference in the block."""
    seen: list[frozenset[str]] = []
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.remove(seen)


def note(inputs: Arrays, outputs: Arrays) -> None:
    """Record the doubts about a reference's outputs, if a block of :func:`watching_references` is active.

    Do nothing if each input has only equal values, because then the outputs may be constant. Do nothing if no output
    has several elements.
    """
    if _watching and any(_varies(array) for array in inputs) and any(array.size > 1 for array in outputs):
        _watching[-1].append(frozenset(_doubts(inputs, outputs)))


def _doubts(inputs: Arrays, outputs: Arrays) -> Iterator[str]:
    if not any(_finite(array).any() for array in outputs):
        yield NOT_FINITE
    elif not any(_varies(array) for array in outputs):
        yield CONSTANT
    elif all(any(_equal(value, array) for array in inputs) for value in outputs):
        yield ITS_INPUT


def _finite(array: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    return np.isfinite(array) if array.dtype.kind in "fc" else np.ones(array.shape, bool)


def _varies(array: npt.NDArray[Any]) -> bool:
    return array.size > 1 and bool((array != array.flat[0]).any())


def _equal(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one.shape == other.shape and bool((one == other).all())
