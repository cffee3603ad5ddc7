"""Slice: elements at equal distances along each axis, and values for positions beyond the ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from msgspec import Struct

from reference_runtime.operations.axes import counted
from reference_runtime.operations.kinds import INDEX_TYPES, alike, one_of
from reference_runtime.operations.operation import Basic, require
from reference_runtime.operations.plain import INDICES, members, optional
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts, are_kept, carried, traced
from reference_runtime.values.enums_layers import LayerType, SampleMode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.shapes.tensor_facts import Values
    from reference_runtime.values.enums import DataType

START, SIZE, STRIDE, FILL_VALUE, AXES = range(1, 6)
"""The indices of the optional inputs."""

_HOSTED: Final = frozenset({START, SIZE, STRIDE, AXES})


def _reflected(places: Array, extent: int) -> Array:
    """Return positions mirrored at the ends; the elements at the ends are not repeated."""
    period = max(2 * (extent - 1), 1)
    folded = places % period
    return np.minimum(folded, period - folded) if extent > 1 else np.zeros_like(places)


_PLACES: Final[dict[Any, Callable[[Array, int], Array]]] = {
    SampleMode.STRICT_BOUNDS: lambda places, _extent: places,
    SampleMode.WRAP: lambda places, extent: places % extent,
    SampleMode.CLAMP: lambda places, extent: np.clip(places, 0, extent - 1),
    SampleMode.REFLECT: _reflected,
    SampleMode.FILL: lambda places, extent: np.clip(places, 0, extent - 1),
}


class _Cut(Struct, frozen=True):
    """The slice along one axis; None is an unknown number."""

    start: int | None
    size: int | None
    stride: int | None

    def places(self) -> Array:
        """Return the positions of the elements, which may be beyond the ends."""
        return np.asarray((self.start or 0) + np.arange(self.size or 0) * (self.stride or 0))


class Slice(Basic, frozen=True):
    """``size`` elements from ``start`` on, ``stride`` apart, along ``axes``; None means all axes in order."""

    kind: ClassVar = LayerType.SLICE
    fields: ClassVar = {
        "start": INDICES,
        "size": INDICES,
        "stride": INDICES,
        "mode": members(SampleMode),
        "axes": optional(INDICES),
        "operands": INDICES,
    }
    optional: ClassVar[tuple[int, ...]] = (START, SIZE, STRIDE, FILL_VALUE, AXES)
    start: tuple[int, ...]
    size: tuple[int, ...]
    stride: tuple[int, ...]
    mode: SampleMode = SampleMode.STRICT_BOUNDS
    axes: tuple[int, ...] | None = None
    operands: tuple[int, ...] = (0,)

    @property
    def shape_operands(self) -> frozenset[int]:
        """Return all optional inputs except the fill value."""
        return frozenset(place for place, index in enumerate(self.operands) if index in _HOSTED)

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input."""
        for index, dtype in zip(self.operands, inputs, strict=True):
            if index in _HOSTED:
                one_of(dtype, INDEX_TYPES, f"input {index} of a slice")
            elif index == FILL_VALUE:
                alike([inputs[0], dtype], "the input of a slice and its fill value")
        return (inputs[0],)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions, which are the sizes along the axes, and the known values."""
        facts, cuts = inputs[0], self._cuts(inputs)
        dims = list(facts.dims)
        for axis, cut in cuts.items():
            self._check(axis, cut, facts.dims[axis])
            dims[axis] = UNKNOWN if cut.size is None else cut.size
        pair = traced(facts)
        unknown = any(None in {cut.start, cut.size, cut.stride} for cut in cuts.values())
        if pair is None or unknown or FILL_VALUE in self.operands or not are_kept(tuple(dims)):
            return (ValueFacts(tuple(dims)),)
        values, known = (self._taken(array, cuts, fill) for array, fill in zip(pair, (0, True), strict=True))
        return (carried(tuple(dims), values, known),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        facts = [
            ValueFacts(operand.shape, tuple(operand.reshape(-1).tolist()) if index in _HOSTED else None)
            for index, operand in zip(self.operands, inputs, strict=True)
        ]
        cuts = self._cuts(facts)
        for axis, cut in cuts.items():
            self._check(axis, cut, inputs[0].shape[axis])
        fill = inputs[self.operands.index(FILL_VALUE)].reshape(-1)[0] if FILL_VALUE in self.operands else 0
        return (self._taken(inputs[0], cuts, fill),)

    def _taken(self, data: Array, cuts: dict[int, _Cut], fill: Any) -> Array:
        for axis, cut in cuts.items():
            places, extent = cut.places(), data.shape[axis]
            inside = (places >= 0) & (places < extent)
            if extent:
                data = data.take(_PLACES[self.mode](places, extent), axis)
            else:
                data = np.zeros([*data.shape[:axis], len(places), *data.shape[axis + 1 :]], data.dtype)
            if self.mode == SampleMode.FILL:
                shape = [-1 if other == axis else 1 for other in range(data.ndim)]
                data = np.where(inside.reshape(shape), data, np.asarray(fill, data.dtype))
        return data

    def _cuts(self, inputs: Sequence[ValueFacts]) -> dict[int, _Cut]:
        """Return the slice along each axis."""
        rank = len(inputs[0].dims)
        axes = self._axes(inputs, rank)
        parameters = [
            self._parameter(index, own, inputs, len(axes))
            for index, own in ((START, self.start), (SIZE, self.size), (STRIDE, self.stride))
        ]
        return {axis: _Cut(*cut) for axis, cut in zip(axes, zip(*parameters, strict=True), strict=True)}

    def _axes(self, inputs: Sequence[ValueFacts], rank: int) -> tuple[int, ...]:
        axes = self.axes
        if AXES in self.operands:
            values = inputs[self.operands.index(AXES)].values
            require(values is not None and None not in values, "the axes of a slice must be known when it is built")
            axes = tuple(axis for axis in values or () if axis is not None)
        return tuple(range(rank)) if axes is None else counted(axes, rank, "the axes of a slice")

    def _parameter(self, index: int, own: tuple[int, ...], inputs: Sequence[ValueFacts], count: int) -> Values:
        values: Values = own
        if index in self.operands:
            facts = inputs[self.operands.index(index)]
            require(len(facts.dims) == 1 and facts.settled, f"input {index} of a slice is 1-D, not {list(facts.dims)}")
            values = facts.values if facts.values is not None else (None,) * facts.dims[0]
        require(len(values) == count, f"a slice along {count} axes cannot use {list(values)} as its input {index}")
        return values

    def _check(self, axis: int, cut: _Cut, extent: int) -> None:
        """Check the slice along an axis.

        Raises:
            Refused: The size is negative, or a position is beyond the ends and the mode defines no value there.
        """
        require(cut.size is None or cut.size >= 0, f"a slice cannot take {cut.size} elements along axis {axis}")
        if cut.start is None or not cut.size or cut.stride is None or extent == UNKNOWN:
            return
        if self.mode == SampleMode.FILL:
            return
        require(extent > 0, f"a slice of an empty axis {axis} has no elements to take")
        ends = (cut.start, cut.start + (cut.size - 1) * cut.stride)
        require(
            self.mode != SampleMode.STRICT_BOUNDS or (min(ends) >= 0 and max(ends) < extent),
            f"a slice takes elements {ends[0]} to {ends[1]} along axis {axis}, which has {extent}",
        )
