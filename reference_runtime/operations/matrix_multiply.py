"""Matrix multiplication of stacks of matrices or vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from reference_runtime.operations.broadcasting import broadcast
from reference_runtime.operations.kinds import FLOATS, alike, one_of
from reference_runtime.operations.operation import Basic, quiet, require
from reference_runtime.operations.plain import members
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType, MatrixOperation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents

_VECTOR: Final = MatrixOperation.VECTOR
_TYPES: Final = FLOATS | {DataType.INT8, DataType.FP8}


class MatrixMultiply(Basic, frozen=True):
    """The products of matrices, which are the last two axes, or of vectors (VECTOR), which are the last axis.

    The axes before are stacks, which are broadcast.
    """

    kind: ClassVar = LayerType.MATRIX_MULTIPLY
    required: ClassVar[int | None] = 2
    fields: ClassVar = {"op0": members(MatrixOperation), "op1": members(MatrixOperation)}
    op0: MatrixOperation
    op1: MatrixOperation

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the operands."""
        return (one_of(alike(inputs, "the operands of a matrix multiplication"), _TYPES, "a matrix"),)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions: the stacks, the rows and the columns."""
        (stack0, rows, inner0), (stack1, columns, inner1) = (
            _parts(facts.dims, op, outer_first=place == 0)
            for place, (facts, op) in enumerate(zip(inputs, (self.op0, self.op1), strict=True))
        )
        shown = f"{list(inputs[0].dims)} ({self.op0.name}) and {list(inputs[1].dims)} ({self.op1.name})"
        require(UNKNOWN in {inner0, inner1} or inner0 == inner1, f"{shown} have no common dimension to sum over")
        return (ValueFacts(broadcast([stack0, stack1], f"the stacks of matrices {shown}") + rows + columns),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output; sums of half-precision products are in single precision."""
        dtype = np.result_type(*inputs)
        wide = np.float32 if dtype == np.float16 else dtype
        first, second = (data.astype(wide) for data in inputs)
        if self.op0 == MatrixOperation.TRANSPOSE:
            first = first.swapaxes(-1, -2)
        if self.op1 == MatrixOperation.TRANSPOSE:
            second = second.swapaxes(-1, -2)
        first = first[..., None, :] if self.op0 == _VECTOR else first
        second = second[..., :, None] if self.op1 == _VECTOR else second
        with quiet():
            product = np.matmul(first, second)
        product = product[..., 0] if self.op1 == _VECTOR else product
        if self.op0 == _VECTOR:
            product = product[..., 0] if self.op1 == _VECTOR else product[..., 0, :]
        return (product.astype(dtype),)


def _parts(dims: Extents, op: MatrixOperation, *, outer_first: bool) -> tuple[Extents, Extents, int]:
    """Return the dimensions of the stack, the dimension that stays (none for a vector), and the summed dimension."""
    needed = 1 if op == _VECTOR else 2
    require(len(dims) >= needed, f"{list(dims)} has too few dimensions for {op.name}: {needed} are needed")
    if op == _VECTOR:
        return dims[:-1], (), dims[-1]
    last_two = dims[-2:] if outer_first == (op == MatrixOperation.NONE) else dims[:-3:-1]
    return dims[:-2], (last_two[0],), last_two[1]
