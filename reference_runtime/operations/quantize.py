"""Quantize and dequantize: convert real numbers to a type of few bits with a scale, and back.

Theory. There is one scale for all data, one for each index along an axis, or one for each block. For blocks, the tensor
of scales has the rank of the data, and its dimensions divide those of the data. A zero point must be 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from reference_runtime.operations.kinds import FLOATS, array_type, one_of
from reference_runtime.operations.operation import Basic, quiet, require
from reference_runtime.operations.plain import INDICES, INTEGER, members, optional
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents

_LIMITS: Final[dict[Any, tuple[float, float]]] = {
    DataType.INT8: (-128, 127),
    DataType.INT4: (-8, 7),
    DataType.FP8: (-448.0, 448.0),
    DataType.FP4: (-6.0, 6.0),
}
_QUANTIZED: Final = frozenset(_LIMITS)
_ROUNDED: Final = frozenset({DataType.INT8, DataType.INT4})
_ZERO_POINT: Final = 2
_FIELDS: Final = {
    "to_type": members(DataType),
    "axis": INTEGER,
    "block_shape": optional(INDICES),
    "operands": INDICES,
}


class _Scaled(Basic, frozen=True):
    """The base of both operations; ``axis`` is -1 until it is set."""

    fields: ClassVar = _FIELDS
    required: ClassVar[int | None] = 2
    optional: ClassVar[tuple[int, ...]] = (_ZERO_POINT,)
    to_type: DataType
    axis: int = -1
    block_shape: tuple[int, ...] | None = None
    operands: tuple[int, ...] = (0, 1)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the same dimensions.

        Raises:
            Refused: The scale does not fit them, or the zero point is not 0.
        """
        self._repeats(inputs[0].dims, inputs[1].dims)
        zeros = inputs[_ZERO_POINT].values if len(inputs) > _ZERO_POINT else None
        require(not any(zeros or ()), f"the zero point of a quantization must be 0, and it is {zeros}")
        return (ValueFacts(inputs[0].dims),)

    def _repeats(self, dims: Extents, scale: Extents) -> list[tuple[int, int]]:
        """Return, for each axis of the data, the number of scales along it, and how many elements share each."""
        if scale in {(), (1,)}:
            return [(1, extent) for extent in dims]
        shown = f"a scale of {list(scale)} does not fit data of {list(dims)}"
        if len(scale) == 1 and (len(dims) != 1 or self.block_shape is None):
            require(0 <= self.axis < len(dims), f"{shown}: set the axis of the scales; it is {self.axis}")
            require(UNKNOWN in {scale[0], dims[self.axis]} or scale[0] == dims[self.axis], shown)
            return [(extent, 1) if axis == self.axis else (1, extent) for axis, extent in enumerate(dims)]
        require(len(scale) == len(dims), shown)
        return [self._block(axis, extents, shown) for axis, extents in enumerate(zip(dims, scale, strict=True))]

    def _block(self, axis: int, extents: tuple[int, int], shown: str) -> tuple[int, int]:
        extent, count = extents
        if UNKNOWN in extents:
            return count, UNKNOWN
        require(count > 0 and extent % count == 0, f"{shown}: blocks along axis {axis} would not be equal")
        size = extent // count
        declared = self.block_shape[axis] if self.block_shape is not None and axis < len(self.block_shape) else size
        require(declared in {size, UNKNOWN}, f"{shown}: blocks along axis {axis} have {size} elements, not {declared}")
        return count, size

    def _spread(self, data: Array, scale: Array) -> Array:
        """Return an array with the scale of each element of the data."""
        repeats = self._repeats(data.shape, scale.shape)
        spread: Array = scale.astype(np.float32).reshape([count for count, _ in repeats])
        for axis, (_, size) in enumerate(repeats):
            spread = np.repeat(spread, size, axis)
        return spread


class Quantize(_Scaled, frozen=True):
    """The data divided by the scale, and clipped to the type's range; integers are rounded, half to even."""

    kind: ClassVar = LayerType.QUANTIZE

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the target type."""
        one_of(inputs[0], FLOATS, "the input of a quantization")
        one_of(inputs[1], FLOATS, "the scale of a quantization")
        return (one_of(self.to_type, _QUANTIZED, "the output of a quantization"),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        least, most = _LIMITS[self.to_type]
        with quiet():
            scaled = inputs[0].astype(np.float32) / self._spread(inputs[0], inputs[1])
            rounded = np.rint(scaled) if self.to_type in _ROUNDED else scaled
            return (np.clip(rounded, least, most).astype(array_type(self.to_type)),)


class Dequantize(_Scaled, frozen=True):
    """The data multiplied by the scale."""

    kind: ClassVar = LayerType.DEQUANTIZE

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the target type."""
        one_of(inputs[0], _QUANTIZED, "the input of a dequantization")
        one_of(inputs[1], FLOATS, "the scale of a dequantization")
        return (one_of(self.to_type, FLOATS, "the output of a dequantization"),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        with quiet():
            real = inputs[0].astype(np.float32) * self._spread(inputs[0], inputs[1])
            return (real.astype(array_type(self.to_type)),)
