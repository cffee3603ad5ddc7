"""Convert the constant tensors of a model to constants of TensorRT."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.operations.constant import Constant
from reference_runtime.operations.onnx.library import DOUBLE, INT64, data_type, library, numpy_type
from reference_runtime.values.small_floats import to_bf16
from reference_runtime.values.weights import owned

if TYPE_CHECKING:
    from reference_runtime.values.enums import DataType

_INT32_RANGE: Final = (-(2**31), 2**31 - 1)


def constant(tensor: Any, data: bytes | None = None) -> Constant | None:
    """Return a tensor of a model as a constant; None for a type that TensorRT lacks. ``data`` replaces its elements.

    DOUBLE becomes FLOAT. At a level without INT64, INT64 becomes INT32 and is clipped to its bounds. NVIDIA's parser
    does the same.
    """
    dims, element = tuple(int(extent) for extent in tensor.dims), int(tensor.data_type)
    dtype = data_type(element)
    if dtype is None:
        return None
    raw = _raw(tensor) if data is None else data
    if element == DOUBLE:
        raw = np.frombuffer(raw, np.float64).astype(np.float32).tobytes()
    elif element == INT64 and dtype.name == "INT32":
        raw = np.clip(np.frombuffer(raw, np.int64), *_INT32_RANGE).astype(np.int32).tobytes()
    return Constant(dims, dtype, owned(dtype, raw, prod(dims)))


def _raw(tensor: Any) -> bytes:
    """Return the elements in their memory layout."""
    if tensor.raw_data or not prod(tensor.dims):
        return bytes(tensor.raw_data)
    array: Any = library("numpy_helper").to_array(tensor)
    if numpy_type(int(tensor.data_type)) is not None:
        return bytes(array.tobytes())
    return _small(tensor, array)


def _small(tensor: Any, array: Any) -> bytes:
    """Return the bytes of a type that NumPy does not have; ONNX keeps each element as an integer."""
    dtype: DataType | None = data_type(int(tensor.data_type))
    if dtype is not None and dtype.name == "BF16":
        codes = np.array(tensor.int32_data, np.uint16)
        return bytes(codes.tobytes()) if len(codes) else bytes(to_bf16(array.astype(np.float32)).tobytes())
    return np.array(tensor.int32_data, np.uint8).tobytes()
