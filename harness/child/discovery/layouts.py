"""Read ranks and dimensions of inputs from a refusal, such as ``nbInputs == 3`` or ``in[1].dims.nbDims == 2``.

C and C++ print a failed condition as the source has it. If the index of an input is no number, each input is tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from harness.cases.input import Input

if TYPE_CHECKING:
    from collections.abc import Iterable

    Place = tuple[int, int]

#: Dimensions (min, opt, max) of the first axis, the second and so on. No two are equal, so that none fits by chance.
_AXES = ((1, 2, 4), (1, 3, 5), (1, 8, 9), (1, 8, 16), (1, 4, 6), (1, 5, 7))
_POWERS = ((2, 2, 4), (4, 4, 8), (16, 16, 32), (8, 8, 16), (8, 8, 32), (4, 4, 16))
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
    """Ranks of inputs, and what is known of their dimensions.

    Attributes:
        ranks: The rank of each input.
        fixed: Dimensions by input and axis.
        same: Pairs of places, each an input and an axis, that have the same dimension.
        is_even: Whether dimensions are powers of two.
    """

    ranks: tuple[int, ...]
    fixed: dict[Place, int] = msgspec.field(default_factory=dict)
    same: tuple[tuple[Place, Place], ...] = ()
    is_even: bool = False

    def inputs(self, types: Sequence[str]) -> tuple[Input, ...]:
        """Return inputs of these types; dimensions of the same axis are the same, unless more is known."""
        return tuple(self._input(index, kind) for index, kind in enumerate(types))

    def _input(self, index: int, kind: str) -> Input:
        groups = [sorted(self._group((index, axis))) for axis in range(self.ranks[index])]
        numbers = [next((self.fixed[place] for place in group if place in self.fixed), None) for group in groups]
        axes = [max(axis for _, axis in group) for group in groups]
        extents = _POWERS if self.is_even else _AXES
        profile = [
            extents[axis] if number is None else (number,) * 3 for axis, number in zip(axes, numbers, strict=True)
        ]
        return Input(
            dims=tuple(f"d{a}" if number is None else number for a, number in zip(axes, numbers, strict=True)),
            min=tuple(low for low, _, _ in profile),
            opt=tuple(best for _, best, _ in profile),
            max=tuple(high for _, _, high in profile),
            types=(kind,),
            scale=guessed_scale((kind,)),
        )

    def _group(self, place: Place) -> set[Place]:
        """Return the places that have the same dimension as one."""
        group, before = {place}, 0
        while len(group) > before:
            before = len(group)
            group |= {each for pair in self.same if group & set(pair) for each in pair}
        return group

    def nearby(self, refusal: str) -> Iterator[Layout]:
        """Yield layouts that differ by one change: what a refusal names, or else what it may mean."""
        layouts = list(self._told(refusal))
        yield from layouts or self._supposed([number for number in map(int, _NUMBER.findall(refusal)) if number])

    def _supposed(self, numbers: Sequence[int]) -> Iterator[Layout]:
        """Yield layouts with other numbers of inputs, ranks and dimensions, those of a refusal first."""
        yield from map(self.of, dict.fromkeys(n for n in (*numbers, *range(1, 7)) if n <= MOST_INPUTS))
        for rank in dict.fromkeys(number for number in (*numbers, *range(1, 6)) if number <= len(_AXES)):
            yield from self._ranked(range(len(self.ranks)), rank)
        yield structs.replace(self, is_even=not self.is_even)
        for number in dict.fromkeys((*numbers, 4, 1, 2)):
            for index, rank in enumerate(self.ranks):
                yield from (self._with([(index, axis)], number) for axis in reversed(range(rank)))

    def of(self, count: int) -> Layout:
        """Return a layout with so many inputs."""
        return structs.replace(self, ranks=(*self.ranks, *self.ranks[:1] * count)[:count])

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
        every = range(len(self.ranks))
        meant = every if term.index is None else [index for index in every if index == term.index]
        if term.kind == "rank" and 0 < number <= len(_AXES):
            yield from self._ranked(meant, number)
        elif term.kind == "axis":
            yield from (self._with([(index, term.axis)], number) for index in meant if term.is_indexed)
            yield self._with([(index, term.axis) for index in every], number)
            yield from (self._with([(index, term.axis)], number) for index in meant if not term.is_indexed)

    def _alike(self, term: _Term, other: _Term) -> Iterator[Layout]:
        first, second = (each.index for each in (term, other))
        if term.kind == "rank":
            yield from (structs.replace(self, ranks=(rank,) * len(self.ranks)) for rank in dict.fromkeys(self.ranks))
        elif first is not None and second is not None:
            yield structs.replace(self, same=(*self.same, ((first, term.axis), (second, other.axis))))

    def _ranked(self, indices: Iterable[int], rank: int) -> Iterator[Layout]:
        """Yield layouts in which one of the inputs has another rank, then all."""
        for index in indices:
            if self.ranks[index] != rank:
                ranks = tuple(rank if i == index else each for i, each in enumerate(self.ranks))
                yield structs.replace(self, ranks=ranks)
        yield structs.replace(self, ranks=(rank,) * len(self.ranks))

    def _with(self, places: Sequence[Place], number: int) -> Layout:
        return structs.replace(self, fixed={**self.fixed, **dict.fromkeys(places, number)})


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
