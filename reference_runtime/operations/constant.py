"""Constants: tensors whose data the network contains."""

from __future__ import annotations

import ctypes
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from reference_runtime.bound.bound_class import state
from reference_runtime.operations.kinds import array_type
from reference_runtime.operations.operation import Basic, require
from reference_runtime.operations.plain import INDICES, members
from reference_runtime.shapes.tensor_facts import ValueFacts, are_kept, carried
from reference_runtime.values.checked_json import PlanError
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.small_floats import from_bf16, from_fp8

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.weights import Weights

_FP4: Final = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
_COUNTED: Final = frozenset({DataType.INT8, DataType.UINT8, DataType.INT32, DataType.INT64, DataType.BOOL})


def _nibbles(data: Array) -> Array:
    """Return the two halves of each byte, the low half first."""
    return np.stack([data & 15, data >> 4], axis=-1).reshape(-1)


_DECODED: Final[dict[Any, Callable[[Array], Array]]] = {
    DataType.BF16: lambda data: from_bf16(data.view(np.uint16)),
    DataType.FP8: from_fp8,
    DataType.INT4: lambda data: ((_nibbles(data).astype(np.int8) ^ 8) - 8).astype(np.int8),
    DataType.FP4: lambda data: np.where(_nibbles(data) & 8, -1, 1) * _FP4[_nibbles(data) & 7],
    DataType.E8M0: lambda data: np.ldexp(np.float32(1), data.astype(np.int32) - 127),
}


class Constant(Basic, frozen=True, eq=False):
    """Data with a type and a shape. Until a build, the data are the current content of the application's weights."""

    kind: ClassVar = LayerType.CONSTANT
    required: ClassVar[int | None] = 0
    fields: ClassVar = {"dims": INDICES, "dtype": members(DataType)}
    dims: tuple[int, ...]
    dtype: DataType
    source: Weights | bytes

    @classmethod
    def of_weights(cls, dims: tuple[int, ...], weights: Weights) -> Constant:
        """Return the constant of a shape.

        Raises:
            Refused: The shape is invalid, or the number of weights does not fit it.
        """
        require(all(extent >= 0 for extent in dims), f"a constant cannot have the shape {list(dims)}")
        count, held = prod(dims), state(weights)
        require(bool(held["address"]) or not count, f"a constant of {list(dims)} needs weights, and their address is 0")
        require(count == weights.size, f"a constant of {list(dims)} needs {count} weights, not {weights.size}")
        return cls(dims, DataType(int(weights.dtype)), weights)

    @classmethod
    def of_plan(cls, data: bytes, *, dims: tuple[int, ...], dtype: DataType) -> Constant:
        """Return the constant in a plan.

        Raises:
            PlanError: The number of bytes does not fit the shape and type.
        """
        if any(extent < 0 for extent in dims) or _nbytes(dims, dtype) != len(data):
            raise PlanError(f"a constant of {list(dims)} and type {dtype.name} has not {len(data)} bytes")
        return cls(dims, dtype, data)

    @property
    def weights(self) -> bytes:
        """Return the data."""
        if isinstance(self.source, bytes):
            return self.source
        held = state(self.source)
        return ctypes.string_at(held["address"], _nbytes(self.dims, self.dtype)) if held["address"] else b""

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:  # noqa: ARG002 - it has none
        """Return the type of the weights."""
        return (self.dtype,)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:  # noqa: ARG002 - it has none
        """Return the dimensions, and the values of a small tensor; real numbers only with at most one dimension."""
        if not are_kept(self.dims) or (self.dtype not in _COUNTED and len(self.dims) > 1):
            return (ValueFacts(self.dims),)
        (values,) = self.run(())
        return (carried(self.dims, values, np.ones(self.dims, np.bool_)),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:  # noqa: ARG002 - it has none
        """Return the data."""
        decode = _DECODED.get(self.dtype)
        if decode is None:
            return (np.frombuffer(self.weights, array_type(self.dtype)).reshape(self.dims),)
        data = decode(np.frombuffer(self.weights, np.uint8))[: prod(self.dims)]
        return (data.astype(array_type(self.dtype)).reshape(self.dims),)


def _nbytes(dims: tuple[int, ...], dtype: DataType) -> int:
    bits = Fraction(dtype.itemsize if dtype.itemsize is not None else 1) * 8
    return int((prod(dims) * bits + 7) // 8)
