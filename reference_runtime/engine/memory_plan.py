"""The layout of a context's memory: from sizes and lifetimes to offsets in one arena.

Theory. A tensor is in use from the layer that writes it to the last layer that reads it. A workspace or a reformatted
copy is in use in one layer. The layers are processed in order. A piece of memory that is not needed any more leaves a
hole. A new piece takes the most recent hole among those that are large enough. So freed memory is in use again as soon
as possible. Every piece has its own guard bands and begins at a multiple of the device's alignment. The bands are part
of the size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from reference_runtime.devices.base import ALIGNMENT, GUARD

if TYPE_CHECKING:
    from collections.abc import Iterable

K = TypeVar("K", bound=Hashable)


class Need(Struct, Generic[K], frozen=True):
    """A piece of ``nbytes`` that is in use from step ``first`` to step ``last``, both included."""

    key: K
    nbytes: int
    first: int
    last: int

    @property
    def slot(self) -> int:
        """The bytes of the piece, rounded up to the alignment, with both guard bands."""
        return 2 * GUARD + -(-self.nbytes // ALIGNMENT) * ALIGNMENT


class Layout(Struct, Generic[K], frozen=True):
    """The offset of each piece, behind its first guard band, and the size of the arena."""

    offsets: dict[K, int]
    size: int


class _Hole(Struct):
    """Free bytes; ``left`` is the step in which the last byte became free."""

    offset: int
    size: int
    left: int


def lay_out(needs: Iterable[Need[K]]) -> Layout[K]:
    """Return the offset of each piece; pieces that are in use in the same step never share a byte."""
    begin: dict[int, list[Need[K]]] = defaultdict(list)
    end: dict[int, list[Need[K]]] = defaultdict(list)
    for need in needs:
        begin[need.first].append(need)
        end[need.last + 1].append(need)
    room, offsets = _Room(), dict[K, int]()
    for step in sorted({*begin, *end}):
        for need in end[step]:
            room.give_back(offsets[need.key] - GUARD, need.slot, step)
        for need in begin[step]:
            offsets[need.key] = room.take(need.slot) + GUARD
    return Layout(offsets, room.size)


class _Room:
    """An arena while it is laid out."""

    def __init__(self) -> None:
        self.size = 0
        self._holes: list[_Hole] = []

    def take(self, size: int) -> int:
        """Return the offset of ``size`` free bytes; the arena grows if no hole is large enough."""
        fitting = [hole for hole in self._holes if hole.size >= size]
        if not fitting:
            return self._grow(size)
        hole = max(fitting, key=lambda hole: (hole.left, -hole.offset))
        offset = hole.offset
        hole.offset, hole.size = offset + size, hole.size - size
        if hole.size == 0:
            self._holes.remove(hole)
        return offset

    def give_back(self, offset: int, size: int, step: int) -> None:
        """Free bytes, together with the holes on either side."""
        before = next((hole for hole in self._holes if hole.offset + hole.size == offset), None)
        after = next((hole for hole in self._holes if hole.offset == offset + size), None)
        merged = _Hole(offset, size, step)
        if before is not None:
            self._holes.remove(before)
            merged = _Hole(before.offset, before.size + size, step)
        if after is not None:
            self._holes.remove(after)
            merged.size += after.size
        self._holes.append(merged)

    def _grow(self, size: int) -> int:
        """Return bytes at the end: a hole that ends there, if any, and new bytes."""
        last = next((hole for hole in self._holes if hole.offset + hole.size == self.size), None)
        offset = self.size
        if last is not None:
            self._holes.remove(last)
            offset = last.offset
        self.size = offset + size
        return offset
