"""Read the stack of this thread as addresses of code, and find the function and library of an address."""

from __future__ import annotations

import bisect
import ctypes
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Final

from reference_runtime.native.abi.type_names import demangled

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_MOST_FRAMES: Final = 128
_C: Final[Any] = ctypes.CDLL(None)
_C.dladdr.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


class _Place(ctypes.Structure):
    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


class _Process:
    functions: ClassVar[dict[str, tuple[list[int], list[str]]]] = {}

    @classmethod
    def name_at(cls, file: str, offset: int) -> str:
        """Return the name of the function at an offset of a library; empty if ``know`` did not record it."""
        places, names = cls.functions.get(file, ([], []))
        place = bisect.bisect_right(places, offset)
        return names[place - 1] if place else ""


def know(library: Library) -> None:
    """Record a library's functions by name, so that ``place_of`` also names those that are not exported."""
    known = sorted((offset, name) for name, offset in library.functions.items())
    _Process.functions[str(library.path.resolve())] = ([place for place, _ in known], [name for _, name in known])


def frames(most: int = _MOST_FRAMES) -> list[int]:
    """Return the addresses of the calls that are running in this thread, the most recent one first."""
    addresses = (ctypes.c_void_p * most)()
    count = _C.backtrace(addresses, most)
    return [each or 0 for each in addresses[:count]]


def place_of(address: int) -> tuple[str, str]:
    """Return the name of the library at an address (empty if there is none), and a text: function, file, offset."""
    place = _Place()
    if not _C.dladdr(address, ctypes.byref(place)) or not place.file:
        return "", f"at {address:#x}"
    file, offset = place.file.decode(errors="replace"), address - (place.base or 0)
    name = place.symbol.decode(errors="replace") if place.symbol else _Process.name_at(file, offset)
    shown = demangled(name) if name else "a function without a name"
    return PurePath(file).name, f"{shown} in {file} +{offset:#x}"
