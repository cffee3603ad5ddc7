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
    """The memory of a library's variables: pairs of an address and a size in bytes."""

    places: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, library: Library) -> StaticData:
        """Return the places of a loaded library's variables."""
        base = base_of(library.path.resolve())
        return cls(tuple((begin, end - begin) for each, begin, end in library_data() if each == base))

    def content(self) -> tuple[int, ...]:
        """Return a hash of each place, which is the same as long as no variable changes."""
        return tuple(hash(_content(place, size)) for place, size in self.places)


def _content(place: int, size: int) -> bytes:
    """Return the bytes of a place. The kernel reads them first, as AddressSanitizer ends processes that read gaps."""
    read = OwnMemory.read(place, size)
    return read if len(read) == size else ctypes.string_at(place, size)
