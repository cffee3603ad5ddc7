"""Read this process's memory at any address, and recognize writable areas and blocks of the C library's heap.

Theory. An address that was found in a plugin's memory may be invalid. So the kernel does the reading: it returns an
error where a direct read would end the process. The size of a heap block is before it (glibc's ``malloc_chunk``).
"""

from __future__ import annotations

import bisect
import ctypes
import os
from pathlib import Path
from typing import Any, Final

_WORD: Final = 8
#: The type of a segment that is loaded (``PT_LOAD``), and the flag of a segment that can be written (``PF_W``).
_LOAD, _WRITABLE = 1, 2
#: The bytes of a block's header, the mask of the three flags in its size, two of these flags, and the smallest size.
_HEADER, _FLAGS, _IN_USE, _MAPPED, _LEAST = 16, 7, 1, 2, 32
#: The addresses that a program's memory can have on machines of 64 bits.
_ADDRESSES: Final = range(1 << 16, 1 << 47)
_C: Final[Any] = ctypes.CDLL(None)
_C.process_vm_readv.restype = ctypes.c_ssize_t
_C.process_vm_readv.argtypes = (
    *(ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong),
)


class _Span(ctypes.Structure):
    """``struct iovec``."""

    _fields_ = (("begin", ctypes.c_void_p), ("size", ctypes.c_size_t))


class _Segment(ctypes.Structure):
    """``Elf64_Phdr``, a program header."""

    _fields_ = (
        *(("type", ctypes.c_uint32), ("flags", ctypes.c_uint32)),
        *((name, ctypes.c_uint64) for name in ("offset", "place", "physical", "stored", "size", "alignment")),
    )


class _Loaded(ctypes.Structure):
    """The first fields of ``struct dl_phdr_info``, which describes a loaded library."""

    _fields_ = (
        *(("base", ctypes.c_uint64), ("name", ctypes.c_char_p)),
        *(("segments", ctypes.POINTER(_Segment)), ("number", ctypes.c_uint16)),
    )


_VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Loaded), ctypes.c_size_t, ctypes.c_void_p)


class OwnMemory:
    """The memory of this process. The list of its areas is read again when an address is in none of them."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._areas: list[tuple[int, bool]] = []
        self._data: list[tuple[int, int]] = []
        self.look()

    @staticmethod
    def read(address: int, size: int) -> bytes:
        """Return the bytes at an address, as many as can be read."""
        held = ctypes.create_string_buffer(size)
        here, there = _Span(ctypes.addressof(held), size), _Span(address, size)
        count = _C.process_vm_readv(os.getpid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
        return held.raw[: max(count, 0)]

    def is_writable(self, address: int) -> bool:
        """Return whether an address is in writable memory that holds no library's data."""
        if address not in _ADDRESSES:
            return False
        known = self._area(address)
        if known is None and self.read(address, 1):
            self.look()
            known = self._area(address)
        return known is not None and known[1] and not self._is_data(address)

    def block(self, address: int) -> int | None:
        """Return the size in bytes of the heap block that begins at an address; None if none is recognized."""
        size = self._word(address - _WORD)
        length = size & ~_FLAGS
        if address % _HEADER or size & _MAPPED or length < _LEAST or length % _HEADER:
            return None
        return length - _WORD if self._word(address + length - _WORD) & _IN_USE else None

    def _word(self, address: int) -> int:
        return int.from_bytes(self.read(address, _WORD), "little")

    def _is_data(self, address: int) -> bool:
        place = bisect.bisect_right(self._data, (address, _ADDRESSES.stop)) - 1
        return (
            place >= 0 and address <= self._data[place][1]
        )  # the address right behind the last variable belongs to the library, too

    def _area(self, address: int) -> tuple[int, bool] | None:
        place = bisect.bisect_right(self._begins, address) - 1
        return self._areas[place] if place >= 0 and address < self._areas[place][0] else None

    def look(self) -> None:
        """Read the list of memory areas: the bounds of each, and whether it is data that a plugin can write.

        Areas with code, and private areas of files, do not count.
        """
        self._begins, self._areas, self._data = [], [], sorted((begin, end) for _, begin, end in library_data())
        for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            bounds, rights, *others = line.split(maxsplit=5)
            of_file = len(others) > 3 and others[3].startswith("/")  # noqa: PLR2004 - the name is last, if the area has one
            begin, end = (int(each, 16) for each in bounds.split("-"))
            self._begins.append(begin)
            is_code = "x" in rights  # callbacks of ctypes are made in memory that can be both written and executed
            self._areas.append((end, "w" in rights and not is_code and ("s" in rights or not of_file)))


def library_data() -> list[tuple[int, int, int]]:
    """Return three addresses for each writable segment: the library's begin, and the segment's begin and end.

    These segments hold the variables of the loaded libraries. The kernel's areas can be larger than the segments.
    """
    places: list[tuple[int, int, int]] = []

    def visit(loaded: Any, _size: int, _none: None) -> int:
        each = loaded.contents
        places.extend(
            (each.base, each.base + segment.place, each.base + segment.place + segment.size)
            for segment in each.segments[: each.number]
            if segment.type == _LOAD and segment.flags & _WRITABLE
        )
        return 0

    _C.dl_iterate_phdr(_VISITOR(visit), None)
    return places
