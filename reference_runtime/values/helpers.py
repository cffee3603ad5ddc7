"""The two helpers that TensorRT's Python package adds: nptype and volume."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from collections.abc import Iterable

NUMPY_TYPES: Final[dict[DataType, Any]] = {
    DataType.FLOAT: np.float32,
    DataType.HALF: np.float16,
    DataType.INT8: np.int8,
    DataType.INT32: np.int32,
    DataType.INT64: np.int64,
    DataType.BOOL: np.bool_,
    DataType.UINT8: np.uint8,
}
"""The types that NumPy has, too."""


def volume(iterable: Iterable[Any]) -> Any:
    """Return the product of all dimensions; 1 for none."""
    product: Any = 1
    for extent in iterable:
        product *= extent
    return product


def nptype(trt_type: DataType) -> Any:
    """Return the NumPy type of a data type; raise TypeError for a type that NumPy does not have."""
    if isinstance(trt_type, DataType) and trt_type in NUMPY_TYPES:
        return NUMPY_TYPES[trt_type]
    raise TypeError("Could not resolve TensorRT datatype to an equivalent numpy datatype.")
