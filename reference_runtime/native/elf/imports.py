"""Redirect the imports of a loaded library, by replacing the addresses that the loader wrote for them."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_WORD: Final = 8
_C: Final = ctypes.CDLL(None)


def base_of(file: Path) -> int:
    """Return the address at which a loaded library begins.

    Raises:
        LookupError: The library is not loaded.
    """
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        head, slash, name = line.partition("/")
        if slash + name == str(file):
            return int(head.partition("-")[0], 16)
    raise LookupError(f"{file} is not loaded")


def rebind(library: Library, functions: Mapping[str, int]) -> dict[int, int]:
    """Replace functions that a loaded library imports; return the previous address for each place that changed.

    ``functions`` has the address of each replacement, by the name of the import.
    """
    base, before = base_of(library.path.resolve()), {}
    for name, offset in library.imports():
        if name in functions:
            before[base + offset] = _exchange(base + offset, functions[name])
    return before


@contextlib.contextmanager
def rebound(*bindings: tuple[Library, Mapping[str, int]]) -> Iterator[None]:
    """Replace functions that loaded libraries import, and restore them at the end of the block."""
    before: dict[int, int] = {}
    try:
        for library, functions in bindings:
            before |= rebind(library, functions)
        yield
    finally:
        for place, address in before.items():
            _exchange(place, address)


def protect(place: int, size: int, rights: int) -> bool:
    """Set the access rights (``PROT_READ`` and others) of the pages in a range; return whether the system allows it."""
    page = place // mmap.PAGESIZE * mmap.PAGESIZE
    return not _C.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(place + size - page), rights)


def _exchange(place: int, address: int) -> int:
    protect(place, _WORD, mmap.PROT_READ | mmap.PROT_WRITE)
    slot = ctypes.c_uint64.from_address(place)
    before, slot.value = slot.value, address
    return before
