"""Arguments of a foreign builder's call, lent to the library: what the builder gave stays out of its reach.

The copies end where memory ends, and what the library has to write holds a pattern before. So each read or write beside
them shows, and each result that is left out. Afterwards the builder has what was written, and nothing else.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from reference_runtime.native.exchange.lent_memory import BEHIND, UNSET, LentMemory
from reference_runtime.native.exchange.misuses import MisuseError, note

if TYPE_CHECKING:
    from reference_runtime.native.abi.slots import Abi
    from reference_runtime.native.abi.structures import Structures

#: The query that may read its array as far as a position, and the places of that, of the array and of two counts.
_QUERY: Final = "supportsFormatCombination"
_POS, _IN_OUT, _INPUTS, _OUTPUTS = range(4)
_NAMES: Final = {"DimsExprs": "the shape of output", "DataType": "the type of output"}
_WORD: Final = 4
#: Where a shape of expressions has its extents, and the most that there can be.
_EXTENTS, _POINTER, _MOST_DIMS = 8, 8, 8


class _Array(Struct, frozen=True):
    """An array among the arguments: its place, type, size and number of items, and whether it is for results."""

    place: int
    kind: str
    item: int
    count: int
    is_result: bool

    @property
    def size(self) -> int:
        return self.item * self.count


class LentArguments:
    """Lends arguments of one epoch."""

    def __init__(self, abi: Abi) -> None:
        self._abi = abi
        self._memory = LentMemory(forgives=True)

    @contextlib.contextmanager
    def lent(
        self, interface: str, method: str, arguments: Sequence[Any], others: int | None = None
    ) -> Iterator[list[Any]]:
        """Give the arguments for the library; what it does wrong with them is noted when the call is over.

        ``others`` fills what is not for it yet.
        """
        arrays = [each for each in self._arrays(interface, method, arguments) if each.count > 0]
        arrays.sort(key=lambda each: not each.is_result)
        given = list(arguments)
        contents, behind = [], b""
        for each in arrays:
            content = ctypes.string_at(arguments[each.place], each.size)
            if method == _QUERY:
                content, behind = _up_to(content, each.item * (arguments[_POS] + 1))
                behind = behind if others is None else bytes([others]) * len(behind)
            contents.append(bytes([UNSET]) * each.size if each.is_result else content)
        results = sum(each.is_result for each in arrays)
        with self._memory.lend(*contents, writable=results, behind=behind) as addresses:
            for each, address in zip(arrays, addresses, strict=True):
                given[each.place] = address
            yield given
            for each, address in zip(arrays[:results], addresses, strict=False):
                _hand_over(each, address, arguments[each.place])

    def _arrays(self, interface: str, method: str, arguments: Sequence[Any]) -> Iterator[_Array]:
        """Yield the arrays of a call: pointers that a number follows. The number is how long the array is."""
        takes = self._abi.slots[interface][method].takes
        for place, (kind, following) in enumerate(itertools.pairwise(takes)):
            if following == "int32_t" and kind.endswith("*") and arguments[place]:
                name = kind.removesuffix("*").strip().removesuffix(" const")
                count = arguments[place + 1]
                if method == _QUERY:
                    count = arguments[_INPUTS] + arguments[_OUTPUTS]
                yield _Array(place, name, _size(self._abi.structures, name), count, not kind.endswith("const*"))


def _size(structures: Structures, name: str) -> int:
    return ctypes.sizeof(structures.type_named(name))


def _up_to(content: bytes, end: int) -> tuple[bytes, bytes]:
    """Return the part of an array that may be read, and the rest if that can be lent."""
    return (content[:end], content[end:]) if len(content) - end <= BEHIND else (content, b"")


def _hand_over(array: _Array, address: int, to: int) -> None:
    """Give the builder what the library wrote; what it did not write stays as the builder has it."""
    for number in range(array.count):
        made = ctypes.string_at(address + array.item * number, array.item)
        left_out = _left_out(array.kind, made)
        if left_out:
            note(MisuseError(f"it left {left_out} {number} of {array.count} unset"))
        else:
            ctypes.memmove(to + array.item * number, made, array.item)


def _left_out(kind: str, made: bytes) -> str:
    """Return what a result lacks; empty if it was written."""
    if made[:_WORD] == bytes([UNSET]) * _WORD:
        return _NAMES.get(kind, "tactic")
    if kind == "DimsExprs":
        rank = int.from_bytes(made[:_WORD], "little", signed=True)
        if not 0 <= rank <= _MOST_DIMS:
            note(MisuseError(f"a shape has {rank} dimensions, and {_MOST_DIMS} is the most there can be"))
            return ""
        extents = [made[_EXTENTS + _POINTER * axis :][:_POINTER] for axis in range(rank)]
        if bytes([UNSET]) * _POINTER in extents:
            return "a dimension of output"
        if bytes(_POINTER) in extents:
            note(MisuseError(f"dimension {extents.index(bytes(_POINTER))} of a shape is a null pointer"))
    return ""
