"""Find a loaded library's variables in memory, and check whether they changed."""

from __future__ import annotations

import ctypes
import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from reference_runtime.native.elf.imports import base_of
from reference_runtime.native.elf.own_memory import OwnMemory, library_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference_runtime.native.elf.reading import Library

#: The mangled names of variables without state that a rule could see. In those of nvcc the first launch of a kernel
#: keeps its handle. The others are log streams of NVIDIA's own plugins: each message changes their buffers.
_WITHOUT_STATE: Final = re.compile(r"__device_stub__|gLog(?:Verbose|Info|Warning|Error|ger)E$")


class StaticData(Struct, frozen=True):
    """The memory of a library's variables: pairs of an address and a size in bytes."""

    places: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, library: Library) -> StaticData:
        """Return the places of a loaded library's variables, without those that hold no state."""
        base = base_of(library.path.resolve())
        ignored = sorted((base + at, size) for name, at, size in library.variables if _WITHOUT_STATE.search(name))
        own = ((begin, end) for each, begin, end in library_data() if each == base)
        return cls(tuple(place for begin, end in own for place in _without(ignored, begin, end)))

    def content(self) -> tuple[int, ...]:
        """Return a hash of each place, which is the same as long as no variable changes."""
        return tuple(hash(_content(place, size)) for place, size in self.places)


def _without(ignored: Iterable[tuple[int, int]], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what is between two addresses, without some sorted places: pairs of an address and a size."""
    for place, size in ignored:
        if begin <= place < end:
            if place > begin:
                yield begin, place - begin
            begin = place + size
    if end > begin:
        yield begin, end - begin


def _content(place: int, size: int) -> bytes:
    """Return the bytes of a place. The kernel reads them first, as AddressSanitizer ends processes that read gaps."""
    read = OwnMemory.read(place, size)
    return read if len(read) == size else ctypes.string_at(place, size)
