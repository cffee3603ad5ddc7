"""Import the package `onnx` when it is first needed, and convert its element types.

Without the package, ONNX models cannot be read, nor plans with layers that the package computes.
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
"""TensorRT's names of ONNX's element types, by ONNX's numbers; TensorRT converts DOUBLE to FLOAT."""
_ELEMENTS: Final = {name: number for number, name in _NAMES.items() if number != DOUBLE}
_ARRAYS: Final = {FLOAT: "f4", 2: "u1", INT8: "i1", INT32: "i4", INT64: "i8", 9: "?", 10: "f2", DOUBLE: "f8"}
INSTALL: Final = "pip install onnx polygraphy"


class OnnxMissing(ImportError):  # noqa: N818 - the name says what is wrong
    """The package `onnx` is needed, but not installed."""


def library(part: str = "") -> Any:
    """Return the package `onnx`, or a module of it such as ``reference``.

    Raises:
        OnnxMissing: The package is not installed.
    """
    try:
        return importlib.import_module(f"onnx.{part}" if part else "onnx")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "onnx":
            raise
        raise OnnxMissing(
            f"ONNX models are read with the package onnx, which is not installed: {INSTALL}", name="onnx"
        ) from error


def data_type(element: int) -> DataType | None:
    """Return TensorRT's type for an ONNX element type; None if TensorRT does not have the type.

    TensorRT 8.6 has no INT64, and uses INT32 in its place.
    """
    name = _NAMES.get(element, "")
    members: dict[str, DataType] = DataType.__members__
    if name == "INT64" and name not in members:
        name = "INT32"
    return members.get(name)


def element_type(dtype: DataType) -> int:
    """Return ONNX's number for a type of TensorRT."""
    return _ELEMENTS[dtype.name]


def numpy_type(element: int) -> np.dtype[Any] | None:
    """Return the NumPy type of an ONNX element type; None if NumPy does not have the type."""
    code = _ARRAYS.get(element)
    return None if code is None else np.dtype(code)


def element_of(dtype: np.dtype[Any]) -> int:
    """Return ONNX's number for a NumPy type."""
    return next(number for number, kind in _ARRAYS.items() if np.dtype(kind) == dtype)
