"""Concatenation along one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from reference_runtime.operations.axes import default_axis
from reference_runtime.operations.kinds import alike
from reference_runtime.operations.operation import Basic, require
from reference_runtime.operations.plain import INTEGER, optional
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts, are_kept, carried, traced
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents
    from reference_runtime.values.enums import DataType


class Concatenation(Basic, frozen=True):
    """Tensors one after the other along an axis, by default the third from the end; all other dimensions are equal."""

    kind: ClassVar = LayerType.CONCATENATION
    required: ClassVar[int | None] = None
    fields: ClassVar = {"axis": optional(INTEGER)}
    axis: int | None = None

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the common type of the inputs."""
        return (alike(inputs, "the inputs of a concatenation"),)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions: that of the joined axis is the sum. The values of vectors are joined, too."""
        shapes = [facts.dims for facts in inputs]
        rank, shown = len(shapes[0]), ", ".join(str(list(dims)) for dims in shapes)
        require(len({len(dims) for dims in shapes}) == 1, f"a concatenation needs equal ranks, not {shown}")
        joined = self.axis_of(rank)
        require(0 <= joined < rank, f"there is no axis {joined} in {shown}")
        dims = tuple(
            _same(extents, shown) if axis != joined else UNKNOWN if UNKNOWN in extents else sum(extents)
            for axis, extents in enumerate(zip(*shapes, strict=True))
        )
        return (_carried(dims, inputs),)

    def axis_of(self, rank: int) -> int:
        """Return the axis along which tensors of a rank are joined."""
        return default_axis(rank) if self.axis is None else self.axis

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        return (np.concatenate(list(inputs), self.axis_of(inputs[0].ndim)),)


def _carried(dims: Extents, inputs: Sequence[ValueFacts]) -> ValueFacts:
    """Return the facts with joined values; the elements of an unknown tensor are unknown values."""
    pairs = [traced(facts) for facts in inputs]
    if len(dims) != 1 or not are_kept(dims) or all(arrays is None for arrays in pairs):
        return ValueFacts(dims)
    kept = [
        (np.zeros(facts.dims, np.int8), np.zeros(facts.dims, np.bool_)) if arrays is None else arrays
        for facts, arrays in zip(inputs, pairs, strict=True)
    ]
    return carried(dims, np.concatenate([values for values, _ in kept]), np.concatenate([known for _, known in kept]))


def _same(extents: Sequence[int], shown: str) -> int:
    fixed = set(extents) - {UNKNOWN}
    require(len(fixed) <= 1, f"a concatenation needs equal dimensions along all other axes, not {shown}")
    return fixed.pop() if fixed else UNKNOWN
