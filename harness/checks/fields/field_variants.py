"""Make variants of fields: left out, reordered, emptied, doubled, of another type, with another value."""

from __future__ import annotations

import pathlib
import sys
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from reference_runtime.instruments import is_ours
from reference_runtime.interfaces.field_collections import (
    PluginFieldCollection,
    PluginFieldCollection_,
    ReceivedFields,
    declared_dtype,
    received,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType, ModuleType

    from harness.subject.fields import FieldValue

#: The number types that Python can read back from a field.
NUMBER_TYPES = ("FLOAT32", "FLOAT64", "INT32", "INT64", "INT16", "INT8")


def is_number(value: FieldValue) -> bool:
    """Return whether a field has elements, and they are numbers that Python can read."""
    return value.type.name in NUMBER_TYPES and value.data.size > 0


def without(values: Sequence[FieldValue], name: str) -> list[FieldValue]:
    """Return the fields without the named one."""
    return [value for value in values if value.name != name]


def changed(values: Sequence[FieldValue], name: str, change: Callable[[FieldValue], FieldValue]) -> list[FieldValue]:
    """Return the fields with ``change`` applied to the named one."""
    return [change(value) if value.name == name else value for value in values]


def orders(values: Sequence[FieldValue]) -> list[list[FieldValue]]:
    """Return the fields in some other orders: reversed, and rotated."""
    turns = [[*values[count:], *values[:count]] for count in range(1, len(values))]
    return [list(values[::-1]), *turns[:-1]]


def emptied(value: FieldValue) -> FieldValue:
    """Return the field without elements."""
    return value.replaced(data=value.data[:0])


def doubled(value: FieldValue) -> FieldValue:
    """Return the field with its elements twice over."""
    return value.replaced(data=np.concatenate([value.data, value.data]))


def shortened(value: FieldValue) -> FieldValue:
    """Return the field without its last element."""
    return value.replaced(data=value.data[:-1])


def lengthened(value: FieldValue) -> FieldValue:
    """Return the field with its last element once more."""
    return value.replaced(data=np.append(value.data, value.data[-1]))


def increased(value: FieldValue) -> FieldValue:
    """Return a number field with 1 added to each element."""
    return value.replaced(data=value.data + value.data.dtype.type(1))


def rounded(value: FieldValue) -> FieldValue:
    """Return a number field with each element rounded to a whole number, so that integer types can hold it."""
    return value.replaced(data=np.rint(value.data).astype(value.data.dtype))


def in_type(trt: ModuleType, value: FieldValue, type_name: str) -> FieldValue | None:
    """Return a field with the same numbers in another type; None if that type cannot hold them exactly."""
    kind = trt.PluginFieldType.__members__.get(type_name)  # TensorRT 8.6 has no INT64
    dtype = None if kind is None else declared_dtype(kind)
    if dtype is None:
        return None
    with np.errstate(all="ignore"):
        data = value.data.astype(dtype)
    return value.replaced(data=data, type=kind) if np.array_equal(data, value.data) else None


def endings(value: FieldValue) -> dict[str, FieldValue]:
    """Return a text field without a NUL at its end, and with a NUL, by a description of each."""
    text = np.frombuffer(value.data.tobytes().rstrip(b"\0"), value.data.dtype)
    ended = np.append(text, value.data.dtype.type(0))
    return {"without a NUL at its end": value.replaced(data=text), "with a NUL at its end": value.replaced(data=ended)}


class Conversion(msgspec.Struct, frozen=True):
    """One conversion of an array to a number.

    Attributes:
        how: ``int`` or ``float``.
        place: The line of the user's code: ``plugin.py:12``.
    """

    how: str
    place: str


def noting_conversions(notes: list[Conversion]) -> type[np.ndarray[Any, Any]]:
    """Return a subclass of ndarray that notes when ``int`` or ``float`` converts an array that has a dimension.

    The conversion then returns the array's single element, as in NumPy before version 2.4.
    """

    class Noting(np.ndarray[Any, Any]):
        def __int__(self) -> int:
            return int(self._element("int"))

        def __float__(self) -> float:
            return float(self._element("float"))

        def _element(self, how: str) -> Any:
            if self.ndim:
                notes.append(Conversion(how, _place_of(sys._getframe(2))))  # noqa: SLF001 - no public function exists
            return self.item()

    return Noting


def with_conversions(argument: Any) -> Any:
    """Return fields whose arrays of one element may be used as numbers, as before NumPy 2.4.

    Another argument is returned as it is. Fields that a creator receives from TensorRT are changed.
    Those of an application's own call are copied.
    """
    if isinstance(argument, ReceivedFields):
        argument.read_through(noting_conversions([]))
        return argument
    fields: Any = argument if isinstance(argument, (PluginFieldCollection, PluginFieldCollection_)) else None
    return argument if fields is None else received(list(fields), read_through=noting_conversions([]))


def _place_of(frame: FrameType | None) -> str:
    """Return the innermost line of the user's code, as ``plugin.py:12``; empty if there is none."""
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    return "" if frame is None else f"{pathlib.Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def as_attribute(trt: ModuleType, value: FieldValue) -> FieldValue | None:
    """Return the field that TensorRT's ONNX parser makes of a node's attribute with the same value.

    Text gets a NUL at its end. INT64 becomes INT32. Other number types stay, because an attribute can be a tensor.
    None if no attribute can hold the value.
    """
    kind = value.type.name
    if kind == "CHAR":
        return endings(value)["with a NUL at its end"]
    if kind == "INT64":
        return in_type(trt, value, "INT32")
    return value if kind in NUMBER_TYPES else None
