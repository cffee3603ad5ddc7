"""Gather: elements, slices or blocks of a tensor, selected by indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from reference_runtime.operations.broadcasting import broadcast
from reference_runtime.operations.kinds import INDEX_TYPES, one_of
from reference_runtime.operations.operation import Basic, require
from reference_runtime.operations.plain import INTEGER, members
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts, carried, traced
from reference_runtime.values.dims import MAX_DIMS
from reference_runtime.values.enums_layers import GatherMode, LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents
    from reference_runtime.values.enums import DataType


class Gather(Basic, frozen=True):
    """Selects parts of the first input, the data, by the second input, the indices.

    DEFAULT selects slices at indices along ``axis``. ELEMENT selects a single element along ``axis`` for each index. In
    ND mode the last axis of the indices has positions along several axes of the data. In DEFAULT and ND mode both
    inputs share the first ``num_elementwise_dims`` axes. An index counts from 0. A position beyond the ends reads as 0
    here; no document defines this.
    """

    kind: ClassVar = LayerType.GATHER
    required: ClassVar[int | None] = 2
    fields: ClassVar = {"mode": members(GatherMode), "axis": INTEGER, "num_elementwise_dims": INTEGER}
    mode: GatherMode
    axis: int = 0
    num_elementwise_dims: int = 0

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the data."""
        one_of(inputs[1], INDEX_TYPES, "the indices of a gather")
        return (inputs[0],)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions, and the values if the data are a vector of known values."""
        data, indices = inputs
        if self.mode == GatherMode.ELEMENT:
            dims = self._of_elements(data.dims, indices.dims)
        else:
            shared = self._shared(data.dims, indices.dims)
            dims = shared + self._rest(data.dims, indices.dims)
        require(len(dims) <= MAX_DIMS, f"a gather would have {len(dims)} dimensions")
        return (self._picked_values(dims, data, indices),)

    def _of_elements(self, data: Extents, indices: Extents) -> Extents:
        require(len(data) == len(indices), f"ELEMENT needs equal ranks, not {list(data)} and {list(indices)}")
        self._check_axis(data)
        fits = all(
            axis == self.axis or UNKNOWN in {most, extent} or extent <= most
            for axis, (most, extent) in enumerate(zip(data, indices, strict=True))
        )
        require(fits, f"indices {list(indices)} reach beyond data {list(data)} along an axis that is not gathered")
        return indices

    def _shared(self, data: Extents, indices: Extents) -> Extents:
        count = self.num_elementwise_dims
        require(
            0 <= count <= min(len(data), len(indices)),
            f"data {list(data)} and indices {list(indices)} cannot share {count} leading axes",
        )
        return broadcast([data[:count], indices[:count]], "the leading axes of a gather")

    def _rest(self, data: Extents, indices: Extents) -> Extents:
        """Return the dimensions after the shared axes."""
        count = self.num_elementwise_dims
        if self.mode == GatherMode.DEFAULT:
            self._check_axis(data)
            require(self.axis >= count, f"axis {self.axis} is one of the {count} leading axes that both inputs share")
            return data[count : self.axis] + indices[count:] + data[self.axis + 1 :]
        require(len(indices) > count, f"ND needs an axis of positions in indices {list(indices)}")
        depth = indices[-1]
        require(depth != UNKNOWN, "ND needs the last dimension of its indices when the network is built")
        require(1 <= depth <= len(data) - count, f"{depth} positions are too many for data {list(data)}")
        return indices[count:-1] + data[count + depth :]

    def _check_axis(self, data: Extents) -> None:
        require(0 <= self.axis < len(data), f"there is no axis {self.axis} in data {list(data)}")

    def _picked_values(self, dims: Extents, data: ValueFacts, indices: ValueFacts) -> ValueFacts:
        """Return the values that are selected from a vector; unknown if the index or the selected value is unknown."""
        pair, places = traced(data), traced(indices)
        is_of_vector = self.mode == GatherMode.DEFAULT and len(data.dims) == 1 and not self.num_elementwise_dims
        if not is_of_vector or pair is None or places is None:
            return ValueFacts(dims)
        values, known = (self.run([array, places[0]])[0] for array in pair)
        return carried(dims, values, known & places[1])

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        data, indices = inputs
        if self.mode == GatherMode.ELEMENT:
            grid = [*np.indices(indices.shape)]
            grid[self.axis] = indices
            return (_picked(data, grid),)
        (facts,) = self.infer([ValueFacts(data.shape), ValueFacts(indices.shape)])
        count = self.num_elementwise_dims
        shared = facts.dims[:count]
        data = np.broadcast_to(data, shared + data.shape[count:])
        indices = np.broadcast_to(indices, shared + indices.shape[count:])
        out = np.zeros(facts.dims, data.dtype)
        for place in np.ndindex(*shared):
            out[place] = self._one(data[place], indices[place])
        return (out,)

    def _one(self, data: Array, indices: Array) -> Array:
        """Gather from one block of the data."""
        if self.mode == GatherMode.ND:
            return _picked(data, [indices[..., axis] for axis in range(indices.shape[-1])])
        front = np.moveaxis(data, self.axis - self.num_elementwise_dims, 0)
        taken = _picked(front, [indices])
        before = self.axis - self.num_elementwise_dims
        return np.moveaxis(taken, range(indices.ndim), range(before, before + indices.ndim))


def _picked(data: Array, positions: Sequence[Array]) -> Array:
    """Return the elements at positions along the first axes; 0 for positions beyond the ends."""
    inside = np.logical_and.reduce(
        [(place >= 0) & (place < extent) for place, extent in zip(positions, data.shape, strict=False)]
    )
    rest = data.shape[len(positions) :]
    if not all(data.shape[: len(positions)]):
        return np.zeros(np.shape(inside) + rest, data.dtype)
    safe = tuple(np.where(inside, place, 0) for place in positions)
    return np.asarray(np.where(np.reshape(inside, np.shape(inside) + (1,) * len(rest)), data[safe], data.dtype.type(0)))
