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


class Mismatch(Exception):  # noqa: N818 - no error: it never reaches user code
    """A value cannot be converted to the type of a parameter or result."""


def is_really(value: object, kinds: type | tuple[type, ...]) -> bool:
    """Return whether a value's real type is among some types: C++ ignores the value's ``__class__``."""
    return issubclass(type(value), kinds)


def integer(bits: int, *, signed: bool = True) -> Converter:
    """Return the converter to a C++ integer: it calls ``__index__`` or ``__int__``; ``float`` and overflow mismatch."""
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
    """Convert to a C++ ``float``: rounded to 32 bits, and infinite above their range."""
    if is_really(value, (str, bytes, bytearray)):
        raise Mismatch
    try:
        return ctypes.c_float(float(value)).value
    except (TypeError, ValueError, OverflowError) as error:
        raise Mismatch from error


def boolean(value: Any) -> bool:
    """Convert to a C++ ``bool`` through ``__bool__`` only, so a string or a list is a mismatch; None is False."""
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
    """Convert to a ``char const*``: a string up to its first NUL, or ``None``."""
    return None if value is None else string(value).partition("\0")[0]


def buffer(value: Any) -> bytes:
    """Convert an object with the buffer protocol to the bytes that C++ sees at that moment."""
    try:
        return memoryview(value).tobytes()
    except TypeError as error:
        raise Mismatch from error


def anything(value: Any) -> Any:
    """Return any object unchanged."""
    return value


def nothing(value: Any) -> None:
    """Accept only ``None``, for a pointer parameter of a type that the bindings do not have."""
    if value is not None:
        raise Mismatch


def instance(*classes: type) -> Converter:
    """Return the converter that accepts an object of one of the classes with its C++ object, and not ``None``."""

    def convert(value: Any) -> Any:
        if not is_really(value, classes):
            raise Mismatch
        if is_really(value, pybind11_object) and not has_native(value):
            raise Mismatch
        return value

    return convert


def optional(converter: Converter) -> Converter:
    """Return the converter that also accepts ``None``, as for a pointer parameter."""

    def convert(value: Any) -> Any:
        return None if value is None else converter(value)

    return convert


def is_sequence(value: object) -> bool:
    """Return whether pybind11 fills a ``std::vector`` from a value: sequences, sets, generators, but no strings."""
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
