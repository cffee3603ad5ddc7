"""Lend C++ memory for one call: inaccessible pages follow it, and it is poisoned after the call.

So a plugin that reads or writes behind its memory crashes at that access. Changes of constant memory, and of the bytes
around lent memory, are noticed. A plugin that keeps a pointer reads poison later: memory is not lent again soon.

Memory that *forgives* lets the plugin continue. At the first access behind it, a handler of SIGSEGV calls
:func:`forgiven`. That function records the access, and makes the pages accessible.
"""

from __future__ import annotations

import collections
import ctypes
import mmap
from collections.abc import Iterator
from typing import Final

from reference_runtime.native.exchange.misuses import MisuseError, note

POISON: Final = 0xDD
#: The byte that fills memory for results before a call, so that a result that the plugin leaves out is noticed.
UNSET: Final = 0x7D
_C: Final = ctypes.CDLL(None)
_RESTING: Final = 32
_PLACE_BYTES: Final = 1 << 16
_PAGE: Final = mmap.PAGESIZE
#: How many bytes behind an argument are inaccessible.
BEHIND: Final = 1 << 16
_NOTHING, _ALL = 0, mmap.PROT_READ | mmap.PROT_WRITE
_ALIGN: Final = 8
_FRONT: Final = 512
"""How many bytes in front of an argument are checked for changes: more than a descriptor has."""
_FILL: Final = bytes([POISON])
_PADDING: Final = tuple(_FILL * size for size in range(_ALIGN))


class ReadAheadError(MisuseError):
    """A plugin read items of an array behind the position that it was asked about."""


class _Place:
    """Memory, and inaccessible pages behind it. What is lent is at the end of the memory.

    ``touched`` is the distance in bytes from the end to the first forgiven access; None without an access.
    """

    __slots__ = ("end", "memory", "size", "touched")

    def __init__(self, size: int) -> None:
        self.size = size
        self.memory = mmap.mmap(-1, size + BEHIND, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.end = ctypes.addressof(ctypes.c_char.from_buffer(self.memory)) + size
        self.touched: int | None = None
        self.protect(_NOTHING)

    def protect(self, rights: int) -> None:
        """Set the access rights of the pages behind the memory."""
        _C.mprotect(ctypes.c_void_p(self.end), ctypes.c_size_t(BEHIND), rights)

    def put_behind(self, content: bytes) -> None:
        """Write the content that an access behind the memory reads, if the access is forgiven."""
        self.protect(_ALL)
        self.memory[self.size : self.size + len(content)] = content
        self.protect(_NOTHING)


#: The places that are lent at the moment by memory that forgives.
_FORGIVING: Final[list[_Place]] = []


def forgiven(address: int) -> bool:
    """Return whether a failed access was behind memory that forgives; it is now possible, and can be repeated."""
    for place in _FORGIVING:
        if place.touched is None and place.end <= address < place.end + BEHIND:
            place.touched = address - place.end
            place.protect(_ALL)
            return True
    return False


class _Lease:
    """A context manager that lends contents for one call, and gives their addresses."""

    __slots__ = ("_behind", "_contents", "_lender", "_places", "_writable")

    def __init__(self, lender: LentMemory, contents: tuple[bytes, ...], writable: int, behind: bytes) -> None:
        self._lender, self._contents, self._writable, self._behind = lender, contents, writable, behind
        self._places: list[tuple[_Place, int, bytes]] = []

    def __enter__(self) -> list[int]:
        addresses = []
        for content in self._contents:
            padding = _PADDING[-len(content) % _ALIGN]
            length = len(content) + len(padding)
            place = self._lender.place_for(length)
            start = place.size - length
            place.memory[start : place.size] = content + padding
            if self._behind:
                place.put_behind(self._behind)
            self._places.append((place, start, place.memory[max(start - _FRONT, 0) : start]))
            addresses.append(place.end - length)
        return addresses

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Take the memory back, and check it.

        Raises:
            MisuseError: The plugin accessed or changed memory that it must not, and this memory does not forgive.
        """
        errors: list[MisuseError] = []
        for number, (content, (place, start, front)) in enumerate(zip(self._contents, self._places, strict=True)):
            end, memory = start + len(content), place.memory
            errors.extend(self._seen(place, end))
            if number >= self._writable and memory[start:end] != content:
                errors.append(MisuseError("an argument behind a pointer to const was changed"))
            if memory[start - len(front) : start] != front:
                errors.append(MisuseError("memory in front of an argument was written"))
            memory[start:end] = _FILL * len(content)
            self._lender.take_back(place)
        if kind is None and errors:
            self._lender.tell(errors)

    def _seen(self, place: _Place, end: int) -> Iterator[MisuseError]:
        """Yield an error if the plugin accessed memory behind its argument; the argument ends at ``end``."""
        is_changed = place.touched is not None and place.memory[place.size :] != self._behind.ljust(BEHIND, b"\0")
        if is_changed or place.memory[end : place.size] != _PADDING[place.size - end]:
            yield MisuseError("memory behind an argument was written")
        elif place.touched is not None and place.touched < len(self._behind):
            yield ReadAheadError("descriptions behind pos were read")
        elif place.touched is not None:
            yield MisuseError("memory behind an argument was read")


class LentMemory:
    """Lends places one after the other. A place is lent again only after `_RESTING` other places were taken back.

    Args:
        forgives: Whether an access behind the memory is noted; if not, the process crashes.
    """

    def __init__(self, *, forgives: bool = False) -> None:
        self._forgives = forgives
        self._large: list[_Place] = []
        self._resting: collections.deque[_Place] = collections.deque()

    def lend(self, *contents: bytes, writable: int = 0, behind: bytes = b"") -> _Lease:
        """Lend copies of contents for one call, and give their addresses.

        The plugin may change the first ``writable`` copies. ``behind`` is the content behind each copy, which an access
        reads if it is forgiven.
        """
        return _Lease(self, contents, writable, behind)

    def tell(self, errors: list[MisuseError]) -> None:
        """Note errors if this memory forgives; raise the first of them if not."""
        if not self._forgives:
            raise errors[0]
        for error in errors:
            note(error)

    def place_for(self, size: int) -> _Place:
        """Return a place of at least ``size`` bytes."""
        if size <= _PLACE_BYTES and len(self._resting) > _RESTING:
            place = self._resting.popleft()
        else:
            place = _Place(max((size + _PAGE - 1) // _PAGE * _PAGE, _PLACE_BYTES))
        if self._forgives:
            _FORGIVING.append(place)
        return place

    def take_back(self, place: _Place) -> None:
        """Keep a place. A small place is lent again later; a large place never is."""
        if self._forgives:
            _FORGIVING.remove(place)
        if place.touched is not None:
            place.touched = None
            place.memory[place.size :] = bytes(BEHIND)
            place.protect(_NOTHING)
        (self._resting if place.size <= _PLACE_BYTES else self._large).append(place)
