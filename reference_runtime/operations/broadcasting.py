"""Broadcast as TensorRT does: the ranks are equal, and along each axis the dimensions are equal or 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reference_runtime.operations.operation import quiet, require
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts, are_kept, carried, traced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents


def broadcast(shapes: Sequence[Extents], what: str) -> Extents:
    """Return the dimensions to which several tensors are broadcast.

    Raises:
        Refused: The ranks differ, or dimensions along an axis differ without a 1.
    """
    shown = ", ".join(str(list(dims)) for dims in shapes)
    require(len({len(dims) for dims in shapes}) == 1, f"{what} need the same number of dimensions, not {shown}")
    return tuple(_extent(extents, f"{what} {shown}") for extents in zip(*shapes, strict=True))


def _extent(extents: Sequence[int], what: str) -> int:
    fixed = {extent for extent in extents if extent not in {1, UNKNOWN}}
    require(len(fixed) <= 1, f"{what} cannot be broadcast: along each axis dimensions must be equal or 1")
    if fixed:
        return fixed.pop()
    return UNKNOWN if UNKNOWN in extents else 1


def broadcast_facts(inputs: Sequence[ValueFacts], what: str, compute: Callable[[Sequence[Array]], Array]) -> ValueFacts:
    """Return the facts of an operation that works element by element; a value is known if all operands are known."""
    dims = broadcast([facts.dims for facts in inputs], what)
    operands = [traced(facts) for facts in inputs]
    if not are_kept(dims) or any(operand is None for operand in operands):
        return ValueFacts(dims)
    pairs = [operand for operand in operands if operand is not None]
    with quiet():
        values = compute([np.where(known, values, 1) for values, known in pairs])
    known = np.broadcast_to(np.logical_and.reduce(np.broadcast_arrays(*[known for _, known in pairs])), dims)
    return carried(dims, np.broadcast_to(values, dims), known)
