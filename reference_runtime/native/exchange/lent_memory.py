"""Lend C++ memory for one call: an inaccessible page follows it, and it is poisoned after the call.

So a plugin that reads or writes beyond its memory crashes there. Changes of constant memory, or of memory in front, are
noticed. A plugin that keeps a pointer reads poison later, because memory is lent again only after a while.
"""

from __future__ import annotations

import collections
import ctypes
import mmap
from typing import Final

from reference_runtime.native.exchange.misuses import MisuseError, note

POISON: Final = 0xDD
_C: Final = ctypes.CDLL(None)
_RESTING: Final = 32
_PLACE_BYTES: Final = 1 << 16
_PAGE: Final = mmap.PAGESIZE
_ALIGN: Final = 8
_FRONT: Final = 512
"""How many bytes in front of an argument must stay as they are: a descriptor is shorter."""
_FILL: Final = bytes([POISON])
_PADDING: Final = tuple(_FILL * size for size in range(_ALIGN))


class _Place:
    """Memory with a page behind it that cannot be touched; addresses count from its end."""

    __slots__ = ("end", "memory", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.memory = mmap.mmap(-1, size + _PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.end = ctypes.addressof(ctypes.c_char.from_buffer(self.memory)) + size
        _C.mprotect(ctypes.c_void_p(self.end), ctypes.c_size_t(_PAGE), 0)


class _Lease:
    """Contents that are lent for one call."""

    __slots__ = ("_contents", "_lender", "_places", "_writable")

    def __init__(self, lender: LentMemory, contents: tuple[bytes, ...], writable: int) -> None:
        self._lender, self._contents, self._writable = lender, contents, writable
        self._places: list[tuple[_Place, int, bytes]] = []

    def __enter__(self) -> list[int]:
        addresses = []
        for content in self._contents:
            padding = _PADDING[-len(content) % _ALIGN]
            length = len(content) + len(padding)
            place = self._lender.place_for(length)
            start = place.size - length
            place.memory[start : place.size] = content + padding
            self._places.append((place, start, place.memory[max(start - _FRONT, 0) : start]))
            addresses.append(place.end - length)
        return addresses

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number, (content, (place, start, front)) in enumerate(zip(self._contents, self._places, strict=True)):
            end, memory = start + len(content), place.memory
            if kind is None and number >= self._writable and memory[start:end] != content:
                note(MisuseError("what it was given through a pointer to constants was changed"))
            if kind is None and memory[start - len(front) : start] != front:
                note(MisuseError("memory in front of the memory it was given was written"))
            memory[start:end] = _FILL * len(content)
            self._lender.take_back(place)


class LentMemory:
    """Places that are lent one after the other; as many as `_RESTING` are not lent again yet."""

    def __init__(self) -> None:
        self._large: list[_Place] = []
        self._resting: collections.deque[_Place] = collections.deque()

    def lend(self, *contents: bytes, writable: int = 0) -> _Lease:
        """Lend copies of contents for one call, and give their addresses; the first ``writable`` may be changed."""
        return _Lease(self, contents, writable)

    def place_for(self, size: int) -> _Place:
        """Return a place of at least so many bytes."""
        if size <= _PLACE_BYTES and len(self._resting) > _RESTING:
            return self._resting.popleft()
        return _Place(max((size + _PAGE - 1) // _PAGE * _PAGE, _PLACE_BYTES))

    def take_back(self, place: _Place) -> None:
        """Keep a place: it is lent again after a while, unless it is large."""
        (self._resting if place.size <= _PLACE_BYTES else self._large).append(place)
