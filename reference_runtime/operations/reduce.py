"""Reduction along axes: sum, product, maximum, minimum and mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from reference_runtime.operations.axes import marked
from reference_runtime.operations.kinds import NUMBERS, one_of
from reference_runtime.operations.operation import Basic, quiet, require
from reference_runtime.operations.plain import INTEGER, TRUTH, members
from reference_runtime.shapes.tensor_facts import ValueFacts, carried, traced
from reference_runtime.values.enums_layers import LayerType, ReduceOperation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.enums import DataType

_Op = ReduceOperation


def _limit(dtype: np.dtype[Any], *, least: bool) -> Any:
    """Return the least or the greatest value of a type, which is the maximum or the minimum of no elements."""
    if dtype.kind == "f":
        return -np.inf if least else np.inf
    info = np.iinfo(dtype)
    return info.min if least else info.max


def _average(data: Array, axes: tuple[int, ...], keep: bool) -> Array:  # noqa: FBT001 - called like the other functions
    total = data.sum(axes, keepdims=keep, dtype=_wide(data))
    count = int(np.prod([data.shape[axis] for axis in axes]))
    if data.dtype.kind == "f":
        return np.asarray(total / np.float32(count))
    return np.sign(total) * (np.abs(total) // count) if count else np.zeros_like(total)


def _wide(data: Array) -> np.dtype[Any]:
    """Return the type of sums: single precision for half precision, else the type of the data."""
    return np.dtype(np.float32) if data.dtype == np.float16 else data.dtype


_FUNCTIONS: Final[dict[Any, Any]] = {
    _Op.SUM: lambda data, axes, keep: data.sum(axes, keepdims=keep, dtype=_wide(data)),
    _Op.PROD: lambda data, axes, keep: data.prod(axes, keepdims=keep, dtype=_wide(data)),
    _Op.MAX: lambda data, axes, keep: data.max(axes, keepdims=keep, initial=_limit(data.dtype, least=True)),
    _Op.MIN: lambda data, axes, keep: data.min(axes, keepdims=keep, initial=_limit(data.dtype, least=False)),
    _Op.AVG: _average,
}


class Reduce(Basic, frozen=True):
    """The sum, product, maximum, minimum or mean along the axes of a mask. These axes are removed, or become 1."""

    kind: ClassVar = LayerType.REDUCE
    fields: ClassVar = {"op": members(ReduceOperation), "axes": INTEGER, "keep_dims": TRUTH}
    op: ReduceOperation
    axes: int
    keep_dims: bool

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input."""
        require(self.op in _FUNCTIONS, f"{self.op.name} is no reduction of one tensor")
        return (one_of(inputs[0], NUMBERS, f"the input of {self.op.name}"),)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the remaining dimensions, and each result for which all elements are known."""
        (facts,) = inputs
        axes = marked(self.axes, len(facts.dims), "the axes of a reduction")
        kept = [1 if axis in axes else extent for axis, extent in enumerate(facts.dims)]
        dims = tuple(kept if self.keep_dims else [extent for axis, extent in enumerate(kept) if axis not in axes])
        pair = traced(facts)
        if pair is None:
            return (ValueFacts(dims),)
        (values,) = self.run([pair[0]])
        return (carried(dims, values, np.asarray(pair[1].all(axes, keepdims=self.keep_dims))),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        axes = marked(self.axes, inputs[0].ndim, "the axes of a reduction")
        with quiet():
            return (np.asarray(_FUNCTIONS[self.op](inputs[0], axes, self.keep_dims)).astype(inputs[0].dtype),)
