"""Find a loaded library's variables in memory, and check whether they changed."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from msgspec import Struct

from reference_runtime.native.elf.imports import base_of
from reference_runtime.native.elf.own_memory import OwnMemory, library_data

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library


class StaticData(Struct, frozen=True):
    """The places that a library writes to, with their sizes."""

    places: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, library: Library) -> StaticData:
        """Return those of a library that is loaded."""
        base = base_of(library.path.resolve())
        return cls(tuple((begin, end - begin) for each, begin, end in library_data() if each == base))

    def content(self) -> tuple[int, ...]:
        """Return values that are the same as long as nothing changes."""
        return tuple(hash(_content(place, size)) for place, size in self.places)


def _content(place: int, size: int) -> bytes:
    """Return what a library's variables hold; AddressSanitizer would end the process for reads between them."""
    read = OwnMemory.read(place, size)
    return read if len(read) == size else ctypes.string_at(place, size)
