"""Lend C++ memory for one call: inaccessible pages follow it, and it is poisoned after the call.

So a plugin that reads or writes beyond its memory crashes there. Changes of constant memory, or of memory around, are
noticed. A plugin that keeps a pointer reads poison later, because memory is lent again only after a while.

Memory that forgives lets the plugin go on: it notes the access, and opens the pages. A handler of SIGSEGV asks
:func:`forgiven`.
"""

from __future__ import annotations

import collections
import ctypes
import mmap
from collections.abc import Iterator
from typing import Final

from reference_runtime.native.exchange.misuses import MisuseError, note

POISON: Final = 0xDD
#: Fills memory for results before a call, so that a result which is left out shows.
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
"""How many bytes in front of an argument must stay as they are: a descriptor is shorter."""
_FILL: Final = bytes([POISON])
_PADDING: Final = tuple(_FILL * size for size in range(_ALIGN))


class ReadAheadError(MisuseError):
    """A plugin read the part of an array that is not for it yet."""


class _Place:
    """Memory with pages behind it that cannot be touched; addresses count from its end.

    ``touched`` is how many bytes behind the end they were touched first, if that was forgiven.
    """

    __slots__ = ("end", "memory", "size", "touched")

    def __init__(self, size: int) -> None:
        self.size = size
        self.memory = mmap.mmap(-1, size + BEHIND, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.end = ctypes.addressof(ctypes.c_char.from_buffer(self.memory)) + size
        self.touched: int | None = None
        self.protect(_NOTHING)

    def protect(self, rights: int) -> None:
        """Set what can be done with the pages behind."""
        _C.mprotect(ctypes.c_void_p(self.end), ctypes.c_size_t(BEHIND), rights)

    def put_behind(self, content: bytes) -> None:
        """Write what is read behind, if that is forgiven."""
        self.protect(_ALL)
        self.memory[self.size : self.size + len(content)] = content
        self.protect(_NOTHING)


#: The places whose memory is lent at the moment, and that forgive.
_FORGIVING: Final[list[_Place]] = []


def forgiven(address: int) -> bool:
    """Say whether an access that failed is to be repeated: it was behind memory that forgives."""
    for place in _FORGIVING:
        if place.touched is None and place.end <= address < place.end + BEHIND:
            place.touched = address - place.end
            place.protect(_ALL)
            return True
    return False


class _Lease:
    """Contents that are lent for one call."""

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
        """Take everything back.

        Raises:
            MisuseError: The plugin touched what it must not, and this memory does not forgive.
        """
        errors: list[MisuseError] = []
        for number, (content, (place, start, front)) in enumerate(zip(self._contents, self._places, strict=True)):
            end, memory = start + len(content), place.memory
            errors.extend(self._seen(place, end))
            if number >= self._writable and memory[start:end] != content:
                errors.append(MisuseError("what it was given through a pointer to constants was changed"))
            if memory[start - len(front) : start] != front:
                errors.append(MisuseError("memory in front of the memory it was given was written"))
            memory[start:end] = _FILL * len(content)
            self._lender.take_back(place)
        if kind is None and errors:
            self._lender.tell(errors)

    def _seen(self, place: _Place, end: int) -> Iterator[MisuseError]:
        """Yield what a plugin did behind memory that ends there."""
        is_changed = place.touched is not None and place.memory[place.size :] != self._behind.ljust(BEHIND, b"\0")
        if is_changed or place.memory[end : place.size] != _PADDING[place.size - end]:
            yield MisuseError("memory behind the memory it was given was written")
        elif place.touched is not None and place.touched < len(self._behind):
            yield ReadAheadError("memory was read that is not for it yet")
        elif place.touched is not None:
            yield MisuseError("memory behind the memory it was given was read")


class LentMemory:
    """Places that are lent one after the other; as many as `_RESTING` are not lent again yet.

    Args:
        forgives: Whether an access behind the memory is noted, in place of a crash.
    """

    def __init__(self, *, forgives: bool = False) -> None:
        self._forgives = forgives
        self._large: list[_Place] = []
        self._resting: collections.deque[_Place] = collections.deque()

    def lend(self, *contents: bytes, writable: int = 0, behind: bytes = b"") -> _Lease:
        """Lend copies of contents for one call, and give their addresses; the first ``writable`` may be changed.

        ``behind`` is read behind them, where that is forgiven.
        """
        return _Lease(self, contents, writable, behind)

    def tell(self, errors: list[MisuseError]) -> None:
        """Note errors if this memory forgives; raise the first of them if not."""
        if not self._forgives:
            raise errors[0]
        for error in errors:
            note(error)

    def place_for(self, size: int) -> _Place:
        """Return a place of at least so many bytes."""
        if size <= _PLACE_BYTES and len(self._resting) > _RESTING:
            place = self._resting.popleft()
        else:
            place = _Place(max((size + _PAGE - 1) // _PAGE * _PAGE, _PLACE_BYTES))
        if self._forgives:
            _FORGIVING.append(place)
        return place

    def take_back(self, place: _Place) -> None:
        """Keep a place: it is lent again after a while, unless it is large."""
        if self._forgives:
            _FORGIVING.remove(place)
        if place.touched is not None:
            place.touched = None
            place.memory[place.size :] = bytes(BEHIND)
            place.protect(_NOTHING)
        (self._resting if place.size <= _PLACE_BYTES else self._large).append(place)
