"""Compare the objects and variables of a library, to detect data that a call leaves for the next call.

Theory. State is in an object, in a variable of the library, or in heap blocks that these point to. All of it is
compared before and after a call. The library's ledger knows the blocks, and fills new blocks. So bytes that were never
written do not look like a pointer. Blocks from before the ledger are those that the C library sees. It may
have rounded their sizes up, so pointers in their last bytes are left out. A pointer to other memory that can be written
may lead to state that cannot be compared. The data of other libraries are left out.
"""

from __future__ import annotations

import bisect
import ctypes
import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reference_runtime.native.elf.own_memory import OwnMemory
from reference_runtime.native.elf.static_data import StaticData

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reference_runtime.native.elf.reading import Library
    from reference_runtime.native.heap.ledger import Block

_WORD: Final = 8
#: A block of the C library may have so many bytes more than the library asked for.
_SURPLUS: Final = 32
#: More bytes, behind one object, count as state.
_MOST_BYTES: Final = 1 << 16

#: Some places in memory, and what they held.
_Content = dict[int, bytes]


class _Block(NamedTuple):
    """Memory that is compared, and how many bytes of it may be pointers."""

    place: int
    size: int
    sure: int


class KeptMemory:
    """Compares the memory of a library before and after calls; ``found`` says that something changes, or may."""

    def __init__(self, library: Library, blocks: Mapping[int, Block]) -> None:
        """Take down what the library's variables hold; ``blocks`` are those of the heap that it has, by address."""
        self.found = False
        self._blocks = blocks
        self._memory = OwnMemory()
        self._running: list[tuple[Any, int, _Content]] = []
        places = StaticData.of(library).places
        self._own = range(min(place for place, _ in places), max(sum(each) for each in places)) if places else range(0)
        self._variables = self._taken([_Block(place, size, size) for place, size in places])

    def begin(self, receiver: Any) -> None:
        """Note the contents of an object before a call; Python objects hold no data of the library's."""
        this = getattr(receiver, "this", 0)
        if this and not self.found:
            self._running.append((receiver, this, self._object(this)))

    def end(self, receiver: Any) -> None:
        """Compare an object after the call, unless it was destroyed."""
        if self.found:
            return
        self.look()
        for of, this, content in self._running:
            if of is receiver and receiver.this == this:
                self.found = self.found or self._has_changed(content)
        self._running = [each for each in self._running if each[0] is not receiver]

    def look(self) -> None:
        """Compare the library's variables."""
        self.found = self.found or self._has_changed(self._variables)

    def _has_changed(self, content: _Content) -> bool:
        return any(self._memory.read(place, len(held)) != held for place, held in content.items())

    def _object(self, this: int) -> _Content:
        whole = this + _to_whole(this)
        if whole in self._own:  # its variables are compared anyway
            return {}
        block = self._block(whole, sorted(self._blocks))
        self.found = self.found or block is None
        return self._taken([block] if block else [])

    def _taken(self, places: Iterable[_Block]) -> _Content:
        """Return what some places hold, and the blocks that these lead to."""
        addresses, waiting, found = sorted(self._blocks), list(places), _Content()
        loose: list[int] = []
        while waiting and not self.found:
            place, size, sure = waiting.pop()
            if place in found:
                continue
            found[place] = held = self._memory.read(place, size)
            self.found = len(held) < size or sum(map(len, found.values())) > _MOST_BYTES
            for word in set(struct.unpack_from(f"<{min(len(held), sure) // _WORD}Q", held)):
                if word not in self._own and self._memory.is_writable(word):
                    block = self._block(word, addresses)
                    if block is None:
                        loose.append(word)
                    else:
                        waiting.append(block)
        spans = [(place, place + len(held)) for place, held in found.items()]
        unseen = [word for word in loose if not any(begin <= word <= end for begin, end in spans)]
        if unseen:
            self._memory.look()  # what was data may hold callbacks now
        self.found = self.found or any(map(self._memory.is_writable, unseen))
        return found

    def _block(self, address: int, addresses: list[int]) -> _Block | None:
        """Return the block that an address leads to; None if that is not known."""
        before = bisect.bisect_right(addresses, address)
        block = self._blocks[addresses[before - 1]] if before else None
        if block is not None and address <= block.address + block.size:
            return _Block(block.address, block.size, block.size)
        size = self._memory.block(address)
        return _Block(address, size, max(size - _SURPLUS, _WORD)) if size else None


def _to_whole(this: int) -> int:
    """Return the offset of the whole object from a part of it, from its virtual table (Itanium C++ ABI)."""
    table = ctypes.c_uint64.from_address(this).value
    return ctypes.c_int64.from_address(table - 2 * _WORD).value
