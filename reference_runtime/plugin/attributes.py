"""The attributes of decorated plugins as plugin fields, and back."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from reference_runtime.interfaces.field import content
from reference_runtime.interfaces.field_collections import PluginField
from reference_runtime.plugin.signatures import dtype_of, is_array
from reference_runtime.values.enums import PluginFieldType

_OF_ARRAYS: Final = {
    np.dtype("int32"): PluginFieldType.INT32,
    np.dtype("int16"): PluginFieldType.INT16,
    np.dtype("int8"): PluginFieldType.INT8,
    np.dtype("bool"): PluginFieldType.INT8,
    np.dtype("int64"): PluginFieldType.INT64,
    np.dtype("float32"): PluginFieldType.FLOAT32,
    np.dtype("float64"): PluginFieldType.FLOAT64,
    np.dtype("float16"): PluginFieldType.FLOAT16,
}
_OF_NUMBERS: Final = {
    int: PluginFieldType.INT64,
    float: PluginFieldType.FLOAT64,
    bool: PluginFieldType.INT8,
    str: PluginFieldType.CHAR,
    bytes: PluginFieldType.UNKNOWN,
}


def advertised(name: str, kind: tuple[bool, Any]) -> PluginField:
    """Return the field that a creator advertises for an attribute."""
    built_in, cls = kind
    if not built_in:
        return PluginField(name, np.array([]), _OF_ARRAYS[np.dtype(cls)])
    return PluginField(name, b"" if cls in (str, bytes) else np.array([]), _OF_NUMBERS[cls])


def field_of(name: str, value: Any) -> PluginField:
    """Return an attribute as a field; a float16 array becomes bytes of type UNKNOWN."""
    if isinstance(value, np.ndarray):
        if value.dtype == np.float16:
            return PluginField(name, value.tobytes(), PluginFieldType.UNKNOWN)
        return PluginField(name, value, _OF_ARRAYS[value.dtype])
    if isinstance(value, str):
        return PluginField(name, value.encode(), PluginFieldType.CHAR)
    if isinstance(value, bytes):
        return PluginField(name, value, PluginFieldType.UNKNOWN)
    return PluginField(name, np.array([value]), _OF_NUMBERS[type(value)])


def value_of(field: PluginField, annotation: Any) -> Any:
    """Return a field's content as an attribute of the declared type.

    TensorRT's package applies ``int`` or ``float`` to the array itself, which NumPy 2.4 refuses. Here the number is
    taken out of the array first.
    """
    if is_array(annotation) and dtype_of(annotation) is np.float16:
        return np.frombuffer(content(field)[0], np.float16)  # bytes, or a field that knows its type
    data = field.data
    if is_array(annotation):
        return data.astype(dtype_of(annotation))
    if issubclass(annotation, str):
        return data.tobytes().decode("utf-8")
    return annotation(data if annotation is bytes else data.item())
