"""Weights: a view of an array, or of memory at an address."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from reference_runtime.bound.bound_class import attribute, pybind11_object, state
from reference_runtime.bound.conversions import Mismatch, instance, int64, size_t
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.bound.overrides import write_error
from reference_runtime.values.enums import DataType
from reference_runtime.values.helpers import nptype

_TYPES: dict[str, Any] = {
    "float32": DataType.FLOAT,
    "float16": DataType.HALF,
    "int8": DataType.INT8,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "bool": DataType.BOOL,
    "uint8": DataType.UINT8,
}


def _array(value: Any) -> np.ndarray[Any, Any]:
    if not isinstance(value, np.ndarray):
        raise Mismatch
    return value


def _data_type(dtype: np.dtype[Any]) -> DataType:
    """Return the type of an array's elements.

    Raises:
        ValueError: No type of TensorRT fits, or ``dtype`` is not the object that ``np.dtype`` returns for its name.
    """
    known = _TYPES.get(dtype.name)
    if known is not None and known.name in DataType.__members__ and dtype is np.dtype(dtype.name):
        return DataType(known)
    message = f"[TRT] [E] Could not implicitly convert NumPy data type: {dtype.kind}{dtype.itemsize * 8} to TensorRT."
    write_error(message)
    raise ValueError(message)


def _nbytes(weights: Weights) -> int:
    held = state(weights)
    return int((DataType(held["type"]).itemsize or 0) * held["count"])


class Weights(pybind11_object, bound=True):
    """A type, an address and a number of elements."""

    @constructor(
        Overload(
            "(self: Weights, type: DataType = <DataType.FLOAT: 0>) -> None", instance(DataType), defaults=[DataType(0)]
        ),
        Overload(
            "(self: Weights, type: DataType, ptr: typing.SupportsInt, count: typing.SupportsInt) -> None",
            instance(DataType),
            size_t,
            int64,
        ),
        Overload("(self: Weights, a: numpy.ndarray) -> None", _array),
    )
    def __init__(self, first: Any, address: int = 0, count: int = 0) -> None:
        if isinstance(first, np.ndarray):
            if not first.flags.c_contiguous:
                raise ValueError(
                    "Could not convert non-contiguous NumPy array to Weights. "
                    "Please use numpy.ascontiguousarray() to fix this."
                )
            kind, address, count = _data_type(first.dtype), first.ctypes.data, first.size
            state(self)["_array"] = first
        else:
            kind = first
        state(self).update(type=int(kind), address=address, count=count)

    dtype = attribute(lambda self: DataType(state(self)["type"]))
    size = attribute(lambda self: state(self)["count"])
    nbytes = attribute(_nbytes)

    @bound(Overload("(self: Weights) -> int"))
    def __len__(self) -> int:
        """Return the number of elements."""
        return int(state(self)["count"])

    @bound(Overload("(self: Weights) -> object"))
    def numpy(self) -> Any:
        """Return an array over the same memory; the weights themselves if NumPy does not have the type."""
        held = state(self)
        try:
            dtype = np.dtype(nptype(DataType(held["type"])))
        except TypeError:
            return self
        if "_array" in held:
            return held["_array"].reshape(-1)
        if not held["count"]:
            return np.zeros(0, dtype)
        memory: Any = (ctypes.c_byte * _nbytes(self)).from_address(held["address"])
        return np.frombuffer(memory, dtype)


def owned(dtype: DataType, data: bytes, count: int) -> Weights:
    """Return weights that own a copy of ``data``."""
    held = np.frombuffer(data, np.uint8).copy()
    weights = Weights(dtype, held.ctypes.data, count)
    state(weights)["_held"] = held
    return weights


def to_weights(value: Any) -> Weights:
    """Convert to weights as a bound parameter does: an array becomes the weights over its memory."""
    if isinstance(value, np.ndarray):
        return Weights(value)
    if not isinstance(value, Weights):
        raise Mismatch
    return value
