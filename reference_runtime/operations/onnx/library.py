"""The package `onnx`, imported when the first model is read, and the names of its element types here.

Only models and plans with layers that it computes need it: without it they cannot be read.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

import numpy as np

from reference_runtime.values.enums import DataType

FLOAT: Final = 1
INT8: Final = 3
INT32: Final = 6
INT64: Final = 7
DOUBLE: Final = 11
BFLOAT16: Final = 16

_NAMES: Final = {
    FLOAT: "FLOAT",
    2: "UINT8",
    INT8: "INT8",
    INT32: "INT32",
    INT64: "INT64",
    9: "BOOL",
    10: "HALF",
    DOUBLE: "FLOAT",
    BFLOAT16: "BF16",
    17: "FP8",
    22: "INT4",
    23: "FP4",
    24: "E8M0",
}
"""What TensorRT calls the element types that it takes, by ONNX's numbers; DOUBLE it takes as FLOAT."""
_ELEMENTS: Final = {name: number for number, name in _NAMES.items() if number != DOUBLE}
_ARRAYS: Final = {FLOAT: "f4", 2: "u1", INT8: "i1", INT32: "i4", INT64: "i8", 9: "?", 10: "f2", DOUBLE: "f8"}
INSTALL: Final = "pip install onnx polygraphy"


class OnnxMissing(ImportError):  # noqa: N818 - named after what is the matter
    """The package `onnx` is needed and not there."""


def library(part: str = "") -> Any:
    """Return the package `onnx`, or a part of it such as ``reference``; `OnnxMissing` where there is none."""
    try:
        return importlib.import_module(f"onnx.{part}" if part else "onnx")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "onnx":
            raise
        raise OnnxMissing(
            f"ONNX models are read with the package onnx, which is not installed: {INSTALL}", name="onnx"
        ) from error


def data_type(element: int) -> DataType | None:
    """Return TensorRT's type for an ONNX element type, or None.

    TensorRT 8.6 has no INT64 and takes INT32 in its place.
    """
    name = _NAMES.get(element, "")
    members: dict[str, DataType] = DataType.__members__
    if name == "INT64" and name not in members:
        name = "INT32"
    return members.get(name)


def element_type(dtype: DataType) -> int:
    """Return ONNX's number of a type."""
    return _ELEMENTS[dtype.name]


def numpy_type(element: int) -> np.dtype[Any] | None:
    """Return the NumPy type of an ONNX element type; None where NumPy has none."""
    found = _ARRAYS.get(element)
    return None if found is None else np.dtype(found)


def element_of(dtype: np.dtype[Any]) -> int:
    """Return ONNX's number of a NumPy type."""
    return next(number for number, kind in _ARRAYS.items() if np.dtype(kind) == dtype)
