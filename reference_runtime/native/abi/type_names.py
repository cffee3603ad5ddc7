"""Read the names of C++ classes and of their bases from the type information (RTTI) in memory."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_WORD: Final = ctypes.sizeof(ctypes.c_void_p)
_SINGLE: Final = "_ZTVN10__cxxabiv120__si_class_type_infoE"
_SEVERAL: Final = "_ZTVN10__cxxabiv121__vmi_class_type_infoE"
_THROWN_AT: Final = 72
"""The offset of the thrown object's address in libstdc++'s header of an exception."""


@functools.cache
def _runtime() -> Any:
    return ctypes.CDLL("libstdc++.so.6")


@functools.cache
def _function(name: str, *takes: Any) -> Any:
    """Return a function of the C++ runtime that returns a pointer."""
    function = getattr(_runtime(), name)
    function.restype, function.argtypes = ctypes.c_void_p, takes
    return function


@functools.cache
def _kind(name: str) -> int:
    """Return the first word of the type information of all classes of one kind: ``_SINGLE`` or ``_SEVERAL``."""
    return ctypes.addressof(ctypes.c_char.in_dll(_runtime(), name)) + 2 * _WORD


@functools.cache
def demangled(name: str) -> str:
    """Return a mangled name as it is written in C++; any other name is returned unchanged."""
    status = ctypes.c_int()
    demangle = _function("__cxa_demangle", ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    buffer = demangle(name.encode(), None, None, ctypes.addressof(status))
    if not buffer:
        return name
    shown = ctypes.string_at(buffer).decode("utf-8", "replace")
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    free(buffer)
    return shown


def _word(address: int) -> int:
    return ctypes.c_void_p.from_address(address).value or 0


def table_of(this: int) -> int:
    """Return the address of an object's table of virtual functions: all objects of a class have the same."""
    return _word(this)


def bases_of(this: int) -> tuple[str, ...]:
    """Return an object's class and all its base classes; empty if the library was built without RTTI."""
    information = _word(_word(this) - _WORD)
    return tuple(dict.fromkeys(_classes(information))) if information else ()


def _classes(information: int) -> Iterator[str]:
    yield _name(information)
    kind = _word(information)
    if kind == _kind(_SINGLE):
        yield from _classes(_word(information + 2 * _WORD))
    elif kind == _kind(_SEVERAL):
        count = ctypes.c_uint32.from_address(information + 2 * _WORD + 4).value
        for number in range(count):
            yield from _classes(_word(information + 3 * _WORD + 2 * _WORD * number))


def _name(information: int) -> str:
    raw = ctypes.string_at(_word(information + _WORD)).lstrip(b"*").decode("utf-8", "replace")
    shown = demangled(f"_Z{raw}") if raw.startswith(("N", "S")) else demangled(f"_ZTI{raw}")
    return shown.removeprefix("typeinfo for ")


def classes_in(file: Path) -> dict[str, tuple[str, ...]]:
    """Return every class of a loaded library that has base classes, with all of them.

    The search covers the library's data, which the loader has relocated, because type information is in it.
    """
    areas = [line.split() for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()]
    mine = [area for area in areas if len(area) > 5 and area[5] == str(file)]  # noqa: PLR2004 - the name is last
    bounds = [tuple(int(number, 16) for number in area[0].split("-")) for area in mine]
    low, high = min(begin for begin, _ in bounds), max(end for _, end in bounds)
    kinds = {_kind(_SINGLE), _kind(_SEVERAL)}
    classes = {}
    for area, (begin, end) in zip(mine, bounds, strict=True):
        if "r" not in area[1] or "x" in area[1]:
            continue
        words = (ctypes.c_uint64 * ((end - begin) // _WORD)).from_address(begin)
        for place, word in enumerate(words[:-2]):
            if word in kinds and low <= words[place + 1] < high:
                names = tuple(dict.fromkeys(_classes(begin + _WORD * place)))
                classes[names[0]] = names[1:]
    return classes


def current_exception() -> str:
    """Return class and message of the C++ exception that is being handled; empty if there is none."""
    information = _function("__cxa_current_exception_type")()
    if not information:
        return ""
    classes = tuple(_classes(information))
    header = _word(_function("__cxa_get_globals")())
    thrown = _word(header + _THROWN_AT) if header and "std::exception" in classes else 0
    if not thrown:
        return classes[0]
    what = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(_word(_word(thrown) + 2 * _WORD))(thrown)
    return f"{classes[0]}: {(what or b'').decode('utf-8', 'replace')}"
