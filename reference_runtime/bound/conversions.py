"""Convert a Python value to the C++ value of a bound parameter, or refuse it as pybind11 does."""

from __future__ import annotations

import ctypes
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import has_native, pybind11_object

if TYPE_CHECKING:
    from collections.abc import Iterable

Converter = Callable[[Any], Any]

_DICT_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_FILLS_A_VECTOR: tuple[type, ...] = (set, frozenset, types.GeneratorType, map, zip, *_DICT_VIEWS)


class Mismatch(Exception):  # noqa: N818 - it never leaves the matching of overloads
    """The parameter does not take the value."""


def is_really(value: object, kinds: type | tuple[type, ...]) -> bool:
    """Say whether a value's real type is among some types: C++ ignores the ``__class__`` that it claims."""
    return issubclass(type(value), kinds)


def integer(bits: int, *, signed: bool = True) -> Converter:
    """Return the converter to a C++ integer: it takes ``__index__`` or ``__int__``, no ``float`` and no overflow."""
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)

    def convert(value: Any) -> int:
        number = value if type(value) is int else _number(value)
        if low <= number <= high:
            return number
        raise Mismatch

    return convert


def _number(value: Any) -> int:
    if is_really(value, (float, str, bytes, bytearray)):
        raise Mismatch
    if not (hasattr(type(value), "__index__") or hasattr(type(value), "__int__")):
        raise Mismatch
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise Mismatch from error


int32 = integer(32)
int64 = integer(64)
size_t = integer(64, signed=False)


def float32(value: Any) -> float:
    """Convert to a C++ ``float``: rounded to 32 bits, infinite beyond them."""
    if is_really(value, (str, bytes, bytearray)):
        raise Mismatch
    try:
        return ctypes.c_float(float(value)).value
    except (TypeError, ValueError, OverflowError) as error:
        raise Mismatch from error


def boolean(value: Any) -> bool:
    """Convert to a C++ ``bool``: through ``__bool__`` only, so that a string or a list is refused."""
    if value is True or value is False:
        return bool(value)
    if value is None:
        return False
    if not hasattr(type(value), "__bool__"):
        raise Mismatch
    try:
        return bool(value)
    except (TypeError, ValueError) as error:
        raise Mismatch from error


def string(value: Any) -> str:
    """Convert to a ``std::string``: ``str`` or bytes of UTF-8."""
    try:
        if is_really(value, str):
            return str.encode(value).decode()
        if is_really(value, (bytes, bytearray)):
            return memoryview(value).tobytes().decode()
    except UnicodeError as error:
        raise Mismatch from error
    raise Mismatch


def c_string(value: Any) -> str | None:
    """Convert to a ``char const*``: as a string up to its first NUL, or ``None``."""
    return None if value is None else string(value).partition("\0")[0]


def buffer(value: Any) -> bytes:
    """Convert an object with the buffer protocol to the bytes that C++ sees at that moment."""
    try:
        return memoryview(value).tobytes()
    except TypeError as error:
        raise Mismatch from error


def anything(value: Any) -> Any:
    """Take any object as it is."""
    return value


def nothing(value: Any) -> None:
    """Convert ``None`` alone: the only value that Python can pass to a capsule parameter."""
    if value is not None:
        raise Mismatch


def instance(*classes: type) -> Converter:
    """Return the converter that takes a live object of one of the classes, and no ``None``."""

    def convert(value: Any) -> Any:
        if not is_really(value, classes):
            raise Mismatch
        if is_really(value, pybind11_object) and not has_native(value):
            raise Mismatch
        return value

    return convert


def optional(converter: Converter) -> Converter:
    """Return the converter that also takes ``None``: a pointer parameter."""

    def convert(value: Any) -> Any:
        return None if value is None else converter(value)

    return convert


def is_sequence(value: object) -> bool:
    """Say whether pybind11 would fill a ``std::vector`` from it: sequences, sets, views and generators, but no text."""
    if is_really(value, (str, bytes, dict)):
        return False
    return hasattr(type(value), "__getitem__") or is_really(value, _FILLS_A_VECTOR)


def sequence(converter: Converter) -> Converter:
    """Return the converter to a ``std::vector`` of the values that ``converter`` returns."""

    def convert(value: Any) -> list[Any]:
        if not is_sequence(value):
            raise Mismatch
        return [converter(item) for item in _items(value)]

    return convert


def _items(value: Iterable[Any]) -> list[Any]:
    try:
        return list(value)
    except Exception as error:
        raise Mismatch from error
