"""Compare the objects and variables of a library, to detect data that a call leaves for the next call.

Theory. State is in an object, in a variable of the library, or in heap blocks that these point to. All of it is
compared before and after a call. The library's ledger lists its blocks, and fills new blocks. So bytes that were never
written do not look like a pointer. For blocks that are older than the ledger, the C library has the sizes. It may have
rounded them up, so pointers in the last bytes of these blocks are ignored. A pointer to other writable memory counts as
a change, because the state there cannot be compared. The variables of other libraries are left out.
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
#: The size that the C library reports for a block may exceed the requested size by this many bytes.
_SURPLUS: Final = 32
#: An object that leads to more bytes is not compared: it counts as changed.
_MOST_BYTES: Final = 1 << 16

#: The bytes that were read at each address.
_Content = dict[int, bytes]


class _Block(NamedTuple):
    """Memory that is compared. Pointers are looked for in its first ``sure`` bytes."""

    place: int
    size: int
    sure: int


class KeptMemory:
    """Compares the memory of a library before and after calls; ``may_have_changed`` shows if data did, or may have."""

    def __init__(self, library: Library, blocks: Mapping[int, Block]) -> None:
        """Read the library's variables; ``blocks`` are the library's blocks of the heap, by address."""
        self.may_have_changed = False
        self._blocks = blocks
        self._memory = OwnMemory()
        self._running: list[tuple[Any, int, _Content]] = []
        places = StaticData.of(library).places
        self._own = range(min(place for place, _ in places), max(sum(each) for each in places)) if places else range(0)
        self._variables = self._taken([_Block(place, size, size) for place, size in places])

    def begin(self, receiver: Any) -> None:
        """Read the memory of the object that is called, before the call; a plain Python object is ignored."""
        this = getattr(receiver, "this", 0)
        if this and not self.may_have_changed:
            self._running.append((receiver, this, self._object(this)))

    def end(self, receiver: Any) -> None:
        """Compare the library's variables and the object after the call; a destroyed object is ignored."""
        if self.may_have_changed:
            return
        self.look()
        for of, this, content in self._running:
            if of is receiver and receiver.this == this:
                self.may_have_changed = self.may_have_changed or self._has_changed(content)
        self._running = [each for each in self._running if each[0] is not receiver]

    def look(self) -> None:
        """Compare the library's variables."""
        self.may_have_changed = self.may_have_changed or self._has_changed(self._variables)

    def _has_changed(self, content: _Content) -> bool:
        return any(self._memory.read(place, len(held)) != held for place, held in content.items())

    def _object(self, this: int) -> _Content:
        whole = this + _to_whole(this)
        if whole in self._own:  # its variables are compared anyway
            return {}
        block = self._block(whole, sorted(self._blocks))
        self.may_have_changed = self.may_have_changed or block is None
        return self._taken([block] if block else [])

    def _taken(self, places: Iterable[_Block]) -> _Content:
        """Return the content of some places, and of all blocks that are reached through pointers in them."""
        addresses, waiting, contents = sorted(self._blocks), list(places), _Content()
        loose: list[int] = []
        while waiting and not self.may_have_changed:
            place, size, sure = waiting.pop()
            if place in contents:
                continue
            contents[place] = held = self._memory.read(place, size)
            self.may_have_changed = len(held) < size or sum(map(len, contents.values())) > _MOST_BYTES
            for word in set(struct.unpack_from(f"<{min(len(held), sure) // _WORD}Q", held)):
                if word not in self._own and self._memory.is_writable(word):
                    block = self._block(word, addresses)
                    if block is None:
                        loose.append(word)
                    else:
                        waiting.append(block)
        spans = [(place, place + len(held)) for place, held in contents.items()]
        unseen = [word for word in loose if not any(begin <= word <= end for begin, end in spans)]
        if unseen:
            self._memory.look()  # memory that held data may hold callbacks of ctypes now
        self.may_have_changed = self.may_have_changed or any(map(self._memory.is_writable, unseen))
        return contents

    def _block(self, address: int, addresses: list[int]) -> _Block | None:
        """Return the block of the heap that an address is in; None if no block is known there."""
        before = bisect.bisect_right(addresses, address)
        block = self._blocks[addresses[before - 1]] if before else None
        if block is not None and address <= block.address + block.size:
            return _Block(block.address, block.size, block.size)
        size = self._memory.block(address)
        return _Block(address, size, max(size - _SURPLUS, _WORD)) if size else None


def _to_whole(this: int) -> int:
    """Return the offset from a base-class part to its whole object, as its virtual table has it (Itanium C++ ABI)."""
    table = ctypes.c_uint64.from_address(this).value
    return ctypes.c_int64.from_address(table - 2 * _WORD).value
