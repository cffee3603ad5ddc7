"""Convert the attributes of a node to the plugin fields that its creator advertises.

Theory. An attribute becomes a field of its name. FLOAT and FLOATS become FLOAT32, and INT and INTS become INT32. STRING
becomes CHAR with a NUL at its end, and STRINGS become CHAR with a NUL after each string. TENSOR becomes a field of its
elements' type. DOUBLE elements become FLOAT32, and INT16 elements are refused, as by NVIDIA's parser (observed on
TensorRT-RTX 1.7.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from reference_runtime.interfaces.field_collections import PluginField
from reference_runtime.operations.onnx.library import library, numpy_type
from reference_runtime.values.enums import PluginFieldType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FLOAT, _INT, _STRING, _TENSOR, _FLOATS, _INTS, _STRINGS = 1, 2, 3, 4, 6, 7, 8
_STRING_TENSOR: Final = 8
_TENSOR_FIELDS: Final = {1: "FLOAT32", 3: "INT8", 6: "INT32", 10: "FLOAT16", 11: "FLOAT32"}
_NARROWED: Final = {11: np.float32}


class UnsupportedAttribute(Exception):  # noqa: N818 - named after the problem
    """An attribute that no plugin field can hold."""


class FieldData(NamedTuple):
    """One field: its elements and the name of its type."""

    name: str
    data: np.ndarray[Any, Any]
    kind: str


def text_of(attributes: Mapping[str, Any], name: str, default: str) -> str:
    """Return the text of an attribute, or ``default`` if the node does not have it."""
    attribute = attributes.get(name)
    return default if attribute is None else str(attribute.s.decode(errors="replace"))


def attribute_data(attributes: Mapping[str, Any], advertised: Iterable[str]) -> list[FieldData]:
    """Return the fields that a creator gets, in the order in which it advertises them; raise `UnsupportedAttribute`."""
    return [_field(attributes[name]) for name in advertised if name in attributes]


def as_fields(data: Iterable[FieldData]) -> list[PluginField]:
    """Return `PluginField` objects, which do not keep their elements alive."""
    return [PluginField(field.name, field.data, PluginFieldType.__members__[field.kind]) for field in data]


def _field(attribute: Any) -> FieldData:
    name, kind = str(attribute.name), int(attribute.type)
    if kind in {_FLOAT, _FLOATS}:
        return FieldData(name, np.array([attribute.f] if kind == _FLOAT else attribute.floats, np.float32), "FLOAT32")
    if kind in {_INT, _INTS}:
        wide = np.array([attribute.i] if kind == _INT else attribute.ints, np.int64)
        return FieldData(name, wide.astype(np.int32), "INT32")
    if kind in {_STRING, _STRINGS}:
        return _text(name, [attribute.s] if kind == _STRING else attribute.strings)
    if kind == _TENSOR:
        return _tensor(name, attribute.t)
    shown = library().AttributeProto.AttributeType.Name(kind)
    raise UnsupportedAttribute(f"Attributes of type: {shown} are unsupported as plugin fields.")


def _text(name: str, texts: Iterable[bytes]) -> FieldData:
    data = b"".join(bytes(text) + b"\0" for text in texts)
    return FieldData(name, np.frombuffer(data, np.int8).copy(), "CHAR")


def _tensor(name: str, tensor: Any) -> FieldData:
    element = int(tensor.data_type)
    if element == _STRING_TENSOR:
        return _text(name, tensor.string_data)
    kind = _TENSOR_FIELDS.get(element)
    if kind is None or kind not in PluginFieldType.__members__:
        shown = library().TensorProto.DataType.Name(element)
        raise UnsupportedAttribute(f"Tensor type: {shown} is unsupported in plugin fields.")
    array = np.asarray(library("numpy_helper").to_array(tensor)).reshape(-1)
    with np.errstate(over="ignore"):  # a number that FLOAT32 cannot hold becomes infinite
        return FieldData(name, np.array(array, _NARROWED.get(element) or numpy_type(element) or array.dtype), kind)
