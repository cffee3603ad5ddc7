"""Lend a library copies of the arguments of a builder's call, so that it cannot reach the builder's own memory.

Inaccessible memory follows the copies, and memory for results holds a pattern before the call. So accesses beside a
copy are noticed, and results that the library leaves out. After the call, only the written results are copied to the
builder's memory.
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

#: The query that may read its array only up to a position, and the indices of its arguments.
_QUERY: Final = "supportsFormatCombination"
_POS, _IN_OUT, _INPUTS, _OUTPUTS = range(4)
_NAMES: Final = {"DimsExprs": "the shape of output", "DataType": "the type of output"}
_WORD: Final = 4
#: The offset of the pointers in a shape of expressions, the size of a pointer, and the largest number of pointers.
_EXTENTS, _POINTER, _MOST_DIMS = 8, 8, 8


class _Array(Struct, frozen=True):
    """An array argument: its index, its items' type, size and number, and whether the library writes results there."""

    place: int
    kind: str
    item: int
    count: int
    is_result: bool

    @property
    def size(self) -> int:
        return self.item * self.count


class LentArguments:
    """Lends copies of arguments in the memory layout of one epoch."""

    def __init__(self, abi: Abi) -> None:
        self._abi = abi
        self._memory = LentMemory(forgives=True)

    @contextlib.contextmanager
    def lent(
        self, interface: str, method: str, arguments: Sequence[Any], others: int | None = None
    ) -> Iterator[list[Any]]:
        """Give the arguments for the library; its misuse of them is noted at the end of the block.

        ``others`` is a byte that replaces the descriptions behind the position of a query; None leaves them.
        """
        arrays = [each for each in self._arrays(interface, method, arguments) if each.count > 0]
        arrays.sort(key=lambda each: not each.is_result)
        replaced = list(arguments)
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
                replaced[each.place] = address
            yield replaced
            for each, address in zip(arrays[:results], addresses, strict=False):
                _hand_over(each, address, arguments[each.place])

    def _arrays(self, interface: str, method: str, arguments: Sequence[Any]) -> Iterator[_Array]:
        """Yield the arrays of a call: each is a pointer, and the argument behind it is its number of items."""
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
    """Split an array behind the bytes that may be read, unless the rest is too long to lend."""
    return (content[:end], content[end:]) if len(content) - end <= BEHIND else (content, b"")


def _hand_over(array: _Array, address: int, to: int) -> None:
    """Copy the results that the library wrote to the builder's memory, which keeps its content for the others."""
    for number in range(array.count):
        made = ctypes.string_at(address + array.item * number, array.item)
        left_out = _left_out(array.kind, made)
        if left_out:
            note(MisuseError(f"it left {left_out} {number} of {array.count} unset"))
        else:
            ctypes.memmove(to + array.item * number, made, array.item)


def _left_out(kind: str, made: bytes) -> str:
    """Return the name of the missing part of a result; empty if the result is complete."""
    if made[:_WORD] == bytes([UNSET]) * _WORD:
        return _NAMES.get(kind, "tactic")
    if kind == "DimsExprs":
        rank = int.from_bytes(made[:_WORD], "little", signed=True)
        if not 0 <= rank <= _MOST_DIMS:
            note(MisuseError(f"a shape has {rank} dimensions, but at most {_MOST_DIMS} are possible"))
            return ""
        extents = [made[_EXTENTS + _POINTER * axis :][:_POINTER] for axis in range(rank)]
        if bytes([UNSET]) * _POINTER in extents:
            return "a dimension of output"
        if bytes(_POINTER) in extents:
            note(MisuseError(f"dimension {extents.index(bytes(_POINTER))} of a shape is a null pointer"))
    return ""
