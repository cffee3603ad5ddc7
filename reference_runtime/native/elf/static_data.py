"""Find a loaded library's variables in memory, and check whether they changed."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reference_runtime.native.elf.imports import base_of
from reference_runtime.native.elf.own_memory import OwnMemory

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_LOAD: Final = 1
_WRITABLE: Final = 2


@dataclass(frozen=True)
class StaticData:
    """The places that a library writes to, with their sizes."""

    places: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, library: Library) -> StaticData:
        """Return those of a library that is loaded."""
        base = base_of(library.path.resolve())
        (start,), (count,) = struct.unpack_from("<Q", library.data, 32), struct.unpack_from("<H", library.data, 56)
        headers = (struct.unpack_from("<IIQQQQQ", library.data, start + 56 * number) for number in range(count))
        return cls(
            tuple(
                (base + address, size)
                for kind, flags, _, address, _, _, size in headers
                if kind == _LOAD and flags & _WRITABLE
            )
        )

    def content(self) -> tuple[int, ...]:
        """Return values that are the same as long as nothing changes."""
        return tuple(hash(_content(place, size)) for place, size in self.places)


def _content(place: int, size: int) -> bytes:
    """Return what a library's variables hold; AddressSanitizer would end the process for reads between them."""
    read = OwnMemory.read(place, size)
    return read if len(read) == size else ctypes.string_at(place, size)
