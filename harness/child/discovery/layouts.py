"""Guess the dimensions of inputs by the words of a refusal.

C and C++ print a failed condition as the source has it, such as ``nbInputs == 3`` or ``in[1].dims.nbDims == 2``. If
the index of an input is no number, each input is tried.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from harness.cases.input import Input

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Dimensions (min, opt, max) of the first axis, the second and so on. No two are equal, so that none fits by chance.
_AXES = ((1, 2, 4), (1, 3, 5), (1, 8, 9), (1, 8, 16), (1, 4, 6), (1, 5, 7))
#: The same of dimensions whose names are read.
_NAMED = ((1, 2, 4), (1, 3, 5), (1, 8, 9), (1, 6, 16), (1, 4, 7), (1, 5, 8))
_POWERS = ((2, 2, 4), (4, 4, 8), (16, 16, 32), (8, 8, 16), (8, 8, 32), (4, 4, 16))
#: Names of dimensions whose meaning is not known, by axis.
_AXIS_NAMES = tuple(f"d{axis}" for axis in range(len(_AXES)))
#: Values (min, opt, max) of a shape input.
_VALUES = (1, 4, 8)
#: Ranks that are tried of several inputs at once.
_RANKS = (1, 2, 3, 4)
#: The ranks of so many inputs are tried in each combination; those behind are of the last one's rank.
_APART = 3
_SCALE = 0.05
#: More inputs than this are not guessed.
MOST_INPUTS = 16
_SIDE = r"((?:[\w.]|->|::|\[\w*\]|\(\))+)"
_COMPARISON = re.compile(rf"{_SIDE}\s*(?:==|>=|<=|!=)\s*{_SIDE}")
_COUNT, _RANK = re.compile(r"(?i)\b(?:nb|num|n)_?inputs?$"), re.compile(r"(?i)(?:nb_?dims|ndims?|rank|dims\.size\(\))$")
_AXIS, _INDEX = re.compile(r"\bd\[(\d+)\]$"), re.compile(r"^\w+?(?:\[(\d+)\]|(\d)\b)")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_IN_WORDS = re.compile(rf"(?i)\b({'|'.join(_ORDINALS)}) input\b.*?\b(\d)[- ]?d")
_NUMBER = re.compile(r"(?<![\w.:])\d{1,2}(?![\w.:])")


def guessed_scale(types: Sequence[str]) -> float | None:
    """Return the scale of an input that a case does not give: INT8 needs one."""
    return _SCALE if "int8" in types else None


class _Term(msgspec.Struct, frozen=True):
    """One side of a comparison: the number of inputs, a rank or a dimension.

    Attributes:
        kind: Which of them.
        index: The input; None if all are meant.
        is_indexed: Whether it is written in brackets, and no part of a name such as ``dims0``.
        axis: The axis of a dimension.
    """

    kind: str
    index: int | None = None
    is_indexed: bool = False
    axis: int = 0


class Layout(msgspec.Struct, frozen=True):
    """Dimensions of inputs: a number is a fixed one, equal names are equal dimensions.

    Attributes:
        dims: The dimensions of each input.
        is_even: Whether dimensions are powers of two.
        values: How many values a shape input has, behind the other inputs; 0 without one.
    """

    dims: tuple[tuple[int | str, ...], ...]
    is_even: bool = False
    values: int = 0

    @classmethod
    def ranked(cls, *ranks: int) -> Layout:
        """Return a layout of these ranks; dimensions of the same axis are the same."""
        return cls(tuple(_plain(rank) for rank in ranks))

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each input."""
        return tuple(map(len, self.dims))

    def inputs(self, types: Sequence[str]) -> tuple[Input, ...]:
        """Return inputs of these types, and the shape input."""
        names = dict.fromkeys(dim for dims in self.dims for dim in dims if isinstance(dim, str))
        bounds = {name: self._bounds(name, place) for place, name in enumerate(names)}
        data = (_input(dims, bounds, kind) for dims, kind in zip(self.dims, types, strict=True))
        return (*data, *self._shape_inputs())

    def _bounds(self, name: str, place: int) -> tuple[int, int, int]:
        is_read = name not in _AXIS_NAMES
        extents = _POWERS if self.is_even else _NAMED if is_read else _AXES
        return extents[place % len(extents) if is_read else _AXIS_NAMES.index(name)]

    def _shape_inputs(self) -> Iterator[Input]:
        if self.values:
            low, best, high = ((value,) * self.values for value in _VALUES)
            yield Input(min=low, opt=best, max=high, types=("int64",), shape_input=True)

    def nearby(self, refusal: str) -> Iterator[Layout]:
        """Yield layouts that differ by one change: what a refusal names, or else what it may mean."""
        layouts = list(self._told(refusal))
        yield from layouts or self._supposed([number for number in map(int, _NUMBER.findall(refusal)) if number])

    def _supposed(self, numbers: Sequence[int]) -> Iterator[Layout]:
        """Yield layouts with other numbers of inputs, ranks and dimensions, those of a refusal first."""
        yield from map(self.of, dict.fromkeys(n for n in (*numbers, *range(1, 7)) if n <= MOST_INPUTS))
        ranks = list(dict.fromkeys(n for n in (*numbers, *range(1, 6)) if n <= len(_AXES)))
        for rank in ranks:
            yield from self._of_rank(range(len(self.dims)), rank)
        yield structs.replace(self, is_even=not self.is_even)
        for number in dict.fromkeys((*numbers, 4, 1, 2)):
            for index, rank in enumerate(self.ranks):
                yield from (self._with([(index, axis)], number) for axis in reversed(range(rank)))

    def further(self, refusal: str) -> Iterator[Layout]:
        """Yield the same, then layouts that differ by more: for a plugin that does not say what it refuses."""
        yield from self.nearby(refusal)
        yield from self._squared()
        yield from self._tied()
        numbers = (number for number in map(int, _NUMBER.findall(refusal)) if 0 < number <= len(_AXES))
        counts = dict.fromkeys((*numbers, *range(1, len(_AXES) + 1)))
        if self.values:
            ranked = [self._of_ranks(*[rank] * len(self.dims)) for rank in _RANKS]
            yield from (structs.replace(each, values=count) for each, count in itertools.product(ranked, counts))
            return
        yield from self._of_other_ranks()
        if len(self.dims) == 1:
            yield from itertools.chain(*(self.of(count)._of_other_ranks() for count in range(2, _APART + 1)))  # noqa: SLF001
        yield from (structs.replace(self, values=count) for count in counts)

    def _of_other_ranks(self) -> Iterator[Layout]:
        for ranks in itertools.product(_RANKS, repeat=min(len(self.dims), _APART)):
            yield self._of_ranks(*ranks, *ranks[-1:] * (len(self.dims) - len(ranks)))

    def _squared(self) -> Iterator[Layout]:
        """Yield a layout whose dimensions are all equal, then layouts in which one of these is 1."""
        squared = structs.replace(self, dims=tuple(_AXIS_NAMES[-1:] * len(dims) for dims in self.dims))
        yield squared
        for index, dims in enumerate(self.dims):
            yield from (squared._with([(index, axis)], 1) for axis in range(len(dims)))  # noqa: SLF001

    def _tied(self) -> Iterator[Layout]:
        """Yield layouts in which a dimension of one other input, or of all, is one of the first input's."""
        first, *others = self.dims
        every = [[index] for index in range(1, len(self.dims))]
        if len(others) > 1 and len(set(self.ranks[1:])) == 1:
            every.insert(0, list(range(1, len(self.dims))))
        for indices in every:
            for axis, dim in itertools.product(range(self.ranks[indices[0]]), first):
                yield self._with([(index, axis) for index in indices], dim)

    def of(self, count: int) -> Layout:
        """Return a layout with so many inputs."""
        return structs.replace(self, dims=(*self.dims, *[_plain(self.ranks[0])] * count)[:count])

    def _told(self, refusal: str) -> Iterator[Layout]:
        for ordinal, rank in _IN_WORDS.findall(refusal):
            yield from self._equal_to(_Term("rank", _ORDINALS.index(ordinal.lower())), int(rank))
        for sides in _COMPARISON.findall(refusal):
            term, other = map(_term, sides)
            number = next((int(side) for side in sides if side.isdigit()), None)
            if number is not None and (about := term or other) is not None:
                yield from self._equal_to(about, number)
            elif term is not None and other is not None and term.kind == other.kind:
                yield from self._alike(term, other)

    def _equal_to(self, term: _Term, number: int) -> Iterator[Layout]:
        if term.kind == "count" and 0 < number <= MOST_INPUTS:
            yield self.of(number)
            return
        every = range(len(self.dims))
        meant = every if term.index is None else [index for index in every if index == term.index]
        if term.kind == "rank" and 0 < number <= len(_AXES):
            yield from self._of_rank(meant, number)
        elif term.kind == "axis":
            yield from (self._with([(index, term.axis)], number) for index in meant if term.is_indexed)
            yield self._with([(index, term.axis) for index in every], number)
            yield from (self._with([(index, term.axis)], number) for index in meant if not term.is_indexed)

    def _alike(self, term: _Term, other: _Term) -> Iterator[Layout]:
        places = [(each.index, each.axis) for each in (term, other) if each.index is not None]
        if term.kind == "rank":
            yield from (self._of_ranks(*[rank] * len(self.dims)) for rank in dict.fromkeys(self.ranks))
        elif len(places) > 1:
            known = [self.dims[index][axis] for index, axis in places if self._has(index, axis)]
            yield from (self._with(places, dim) for dim in sorted(known, key=lambda dim: isinstance(dim, str))[:1])

    def _of_rank(self, indices: Iterable[int], rank: int) -> Iterator[Layout]:
        """Yield layouts in which one of the inputs has another rank, then all."""
        for index in indices:
            if self.ranks[index] != rank:
                yield self._of_ranks(*self.ranks[:index], rank, *self.ranks[index + 1 :])
        yield self._of_ranks(*[rank] * len(self.dims))

    def _of_ranks(self, *ranks: int) -> Layout:
        dims = ((*each, *_plain(rank)[len(each) :])[:rank] for each, rank in zip(self.dims, ranks, strict=True))
        return structs.replace(self, dims=tuple(dims))

    def _with(self, places: Iterable[tuple[int, int]], dim: int | str) -> Layout:
        """Return the layout with one dimension at these places, of an input and an axis each."""
        changed = [list(dims) for dims in self.dims]
        for index, axis in places:
            if self._has(index, axis):
                changed[index][axis] = dim
        return structs.replace(self, dims=tuple(map(tuple, changed)))

    def _has(self, index: int, axis: int) -> bool:
        return index < len(self.dims) and axis < len(self.dims[index])


def _plain(rank: int) -> tuple[str, ...]:
    return _AXIS_NAMES[:rank]


def _input(dims: Sequence[int | str], bounds: dict[str, tuple[int, int, int]], kind: str) -> Input:
    profile = [bounds[dim] if isinstance(dim, str) else (dim,) * 3 for dim in dims]
    low, best, high = (tuple(each[corner] for each in profile) for corner in range(3))
    return Input(dims=tuple(dims), min=low, opt=best, max=high, types=(kind,), scale=guessed_scale((kind,)))


def _term(side: str) -> _Term | None:
    """Return what one side of a comparison is about; None for all else, such as outputs."""
    if side.startswith("out"):
        return None
    match = _INDEX.match(side)
    index = int(match[1] or match[2]) if match else None
    if _COUNT.search(side):
        return _Term("count")
    is_indexed = match is not None and match[1] is not None
    if _RANK.search(side):
        return _Term("rank", index, is_indexed)
    axis = _AXIS.search(side)
    return _Term("axis", index, is_indexed, int(axis[1])) if axis else None
