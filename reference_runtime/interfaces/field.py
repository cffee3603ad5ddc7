"""PluginField, one argument of a creator: its name, its type and a pointer to its elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_runtime.bound.bound_class import initialise, pybind11_object, state
from reference_runtime.bound.conversions import Mismatch, instance, int32, string
from reference_runtime.bound.overloads import Overload, accessor, constructor
from reference_runtime.bound.undefined_use import Misuse, MisuseKind, misuse
from reference_runtime.interfaces.pointers import POISON, Loan, Pointer, Source, lend
from reference_runtime.values.enums import PluginFieldType

_DTYPES = {
    "FLOAT16": np.float16,
    "FLOAT32": np.float32,
    "FLOAT64": np.float64,
    "INT8": np.int8,
    "INT16": np.int16,
    "INT32": np.int32,
    "CHAR": np.int8,
    "UNKNOWN": np.int8,
    "INT64": np.int64,
}
_BITS = {
    "FLOAT16": 16,
    "FLOAT32": 32,
    "FLOAT64": 64,
    "INT8": 8,
    "INT16": 16,
    "INT32": 32,
    "CHAR": 8,
    "DIMS": 576,
    "BF16": 16,
    "INT64": 64,
    "FP8": 8,
    "INT4": 4,
    "FP4": 4,
}
"""The number of bits of an element in C++; the size of an UNKNOWN field is that of its buffer."""
_UNREADABLE = ("FLOAT16", "DIMS", "BF16", "FP8", "INT4", "FP4")


def declared_dtype(kind: PluginFieldType) -> np.dtype[Any] | None:
    """Return the NumPy type of a field's elements; ``None`` if NumPy has none."""
    name = _DTYPES.get(kind.name)
    return None if name is None else np.dtype(name)


class FallbackString(pybind11_object, bound=True):
    """A string that C++ may keep a pointer to."""

    @constructor(
        Overload("(self: FallbackString, arg0: str) -> None", string),
        Overload("(self: FallbackString, arg0: str) -> None", string),
    )
    def __init__(self, text: str) -> None:
        state(self)["text"] = text


def _name(value: Any) -> str:
    text = state(value)["text"] if isinstance(value, FallbackString) else string(value)
    return str(text).partition("\0")[0]


def _buffer(value: Any) -> tuple[Loan, Pointer]:
    try:
        return lend(value)
    except TypeError as error:
        raise Mismatch from error


def _set_data(field: PluginField, lent: tuple[Loan, Pointer]) -> None:
    """Point to another buffer; the number of elements stays (measured), and the earlier buffer stays alive."""
    held = state(field)
    held["_loans"].append(lent[0])
    held["_pointer"] = lent[1]


def _data(field: PluginField) -> np.ndarray[Any, Any]:
    held = state(field)
    kind = PluginFieldType(held["type"])
    if kind.name in _UNREADABLE:
        raise AttributeError("No known conversion for returning data from PluginField")
    dtype = declared_dtype(kind)
    if dtype is None:
        return np.zeros(0)
    if held["size"] < 0:
        raise ValueError("negative dimensions are not allowed")
    raw = _bytes(field, held["size"] * dtype.itemsize)
    elements: np.ndarray[Any, Any] = np.ndarray((held["size"],), dtype, buffer=raw).copy()
    return elements if held["_read_through"] is None else elements.view(held["_read_through"])


def _bytes(field: PluginField, nbytes: int) -> bytes:
    held = state(field)
    pointer: Pointer | None = held["_pointer"]
    if nbytes == 0:
        return b""
    if pointer is not None and not pointer.alive:
        held["_misuses"].append(misuse(held["_when_dead"], f"the data of field {held['name']!r} was read"))
    elif pointer is None or nbytes > pointer.readable:
        there = 0 if pointer is None else pointer.readable
        what = f"{nbytes} bytes of field {held['name']!r} were read from a buffer of {there}"
        held["_misuses"].append(misuse(MisuseKind.OUT_OF_BOUNDS, what))
    return bytes([POISON]) * nbytes if pointer is None else pointer.read(nbytes)


class PluginField(pybind11_object, bound=True):
    """A name, a type, and a pointer to a number of elements."""

    @constructor(
        Overload("(self: PluginField, name: FallbackString = '') -> None", _name, defaults=[""]),
        Overload(
            "(self: PluginField, name: FallbackString, data: typing_extensions.Buffer,"
            " type: PluginFieldType = <PluginFieldType.UNKNOWN: 8>) -> None",
            _name,
            _buffer,
            instance(PluginFieldType),
            defaults=[PluginFieldType.UNKNOWN],
        ),
    )
    def __init__(self, name: str, data: Any = None, type: Any = PluginFieldType.UNKNOWN) -> None:  # noqa: A002
        _fill(self, name=name, type=int(type))
        if data is not None:
            _set_data(self, data)
            state(self)["size"] = data[1].source.count

    name = accessor(
        "(arg0: PluginField, arg1: FallbackString) -> None",
        lambda self: state(self)["name"],
        lambda self, value: state(self).update(name=value),
        _name,
    )
    data = accessor("(arg0: PluginField, arg1: typing_extensions.Buffer) -> None", _data, _set_data, _buffer)
    type = accessor(
        "(self: PluginField, arg0: PluginFieldType) -> None",
        lambda self: PluginFieldType(state(self)["type"]),
        lambda self, value: state(self).update(type=int(value)),
        instance(PluginFieldType),
    )
    size = accessor(
        "(self: PluginField, arg0: typing.SupportsInt) -> None",
        lambda self: state(self)["size"],
        lambda self, value: state(self).update(size=value),
        int32,
    )


def _fill(field: PluginField, **content: Any) -> None:
    state(field).update(
        {
            "size": 0,
            "_pointer": None,
            "_loans": [],
            "_misuses": [],
            "_when_dead": MisuseKind.FREED_BUFFER,
            "_read_through": None,
        },
        **content,
    )


def assign(target: PluginField, source: PluginField) -> None:
    """Copy a record with its pointer, but without the loan that keeps the buffer alive."""
    held = state(source)
    copied = ("name", "type", "size", "_pointer", "_misuses", "_when_dead", "_read_through")
    state(target).update({key: held[key] for key in copied}, _loans=[])


def copy(source: PluginField) -> PluginField:
    """Return a copy of a record, with the same pointer but without a loan."""
    target: PluginField = PluginField.__new__(PluginField)
    initialise(target, PluginField)
    assign(target, source)
    return target


def own(
    source: PluginField,
    misuses: list[Misuse],
    *,
    when_dead: MisuseKind,
    read_through: type[np.ndarray[Any, Any]] | None = None,
) -> tuple[PluginField, Loan | None]:
    """Return a deep copy whose buffer lives as long as the returned loan; misuse of it is added to ``misuses``."""
    target = copy(source)
    state(target).update(_misuses=misuses, _when_dead=when_dead, _read_through=read_through)
    pointer: Pointer | None = state(source)["_pointer"]
    if pointer is None:
        return target, None
    dtype = declared_dtype(source.type)
    needed = max(pointer.source.nbytes, max(source.size, 0) * (dtype.itemsize if dtype else 0))
    loan, state(target)["_pointer"] = lend(np.frombuffer(pointer.read(needed), np.uint8).copy())
    return target, loan


def size_in_bytes(kind: PluginFieldType, length: int) -> int | None:
    """Return the number of bytes that C++ reads for a number of elements.

    None for an UNKNOWN field, whose buffer decides.
    """
    nbits = _BITS.get(kind.name)
    return None if nbits is None else (max(length, 0) * nbits + 7) // 8


def content(field: PluginField) -> tuple[bytes, int]:
    """Return the bytes that C++ copies from a field's buffer, and the number of those that existed.

    The others have the value `POISON`.
    """
    held = state(field)
    pointer: Pointer | None = held["_pointer"]
    kind, size = PluginFieldType(held["type"]).name, max(held["size"], 0)
    nbytes = 0 if pointer is None else pointer.source.nbytes
    if kind in _BITS:
        nbytes = (size * _BITS[kind] + 7) // 8
    if pointer is None:
        return bytes([POISON]) * nbytes, 0
    return pointer.read(nbytes), min(nbytes, pointer.readable) if pointer.alive else 0


def garbage(misuses: list[Misuse]) -> PluginField:
    """Return a record of stray bytes, as from memory beside an array of records."""
    field = PluginField("\N{REPLACEMENT CHARACTER}" * 4, bytes([POISON]) * 8)
    state(field)["_misuses"] = misuses
    return field


def source_of(field: PluginField) -> Source | None:
    """Return the field's buffer as it was when the field was made; ``None`` for a field without data."""
    pointer: Pointer | None = state(field)["_pointer"]
    return None if pointer is None else pointer.source


def misuses_of(field: PluginField) -> list[Misuse]:
    """Return the recorded misuse of a field's data."""
    misuses: list[Misuse] = state(field)["_misuses"]
    return misuses


def is_alive(field: PluginField) -> bool:
    """Return whether the field's buffer still exists; True for a field without data."""
    pointer: Pointer | None = state(field)["_pointer"]
    return pointer is None or pointer.alive
