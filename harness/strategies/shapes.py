"""Generate the shapes of a case, with strategies of Hypothesis.

Hypothesis generates only one integer for each dimension, because generating takes most of an example's time. The worker
process imports this module, too, and generates nothing. So Hypothesis is imported in the functions that use it.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from harness.contract.finding import NotApplicable
from harness.strategies.covering import Column, covering
from harness.strategies.examples import QUIET_OF_KEPT, Examples

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from harness.cases.facts import Extent, Facts, Key

    Values = dict[Key, int]
    Shapes = list[list[int]]

#: The most elements of a tensor in examples that run a plugin, so that an example takes milliseconds.
RUNNABLE = 1 << 15
#: In a range up to this length all values are equally likely. In a longer range, the values of `likely` are preferred.
_SHORT = 32
#: The number of preferred choices, as a fraction of the range's length.
_SHARE = 0.3
#: Fixed examples have each remainder by this number, because the tiles of kernels are usually multiples of it.
_TILE = 16
#: The most shapes in a sequence, before it repeats the first.
_LONGEST = 3
#: The relation of later shapes in a sequence to the first: none, nearly equal, or with dimensions rotated.
_KINSHIPS = ("none", "none", "near", "turned")
#: Choices for the number of threads, and for a `Schedule`: its turns, the entries of ``steps``, and each entry.
_THREADS = (2, 2, 2, 3)
_TURNS = (1, 1, 2, 3, 4, 6, 8, 16, 32, 64, 128, *(256,) * 8)
_LENGTHS = (1, 1, 2)
_STEPS = (64, 48, 40, 32, 28, 24, 21, 18, 16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4, 4, 3, 3, *(2,) * 4, *(1,) * 8)
#: The greatest difference between the dimensions of two shapes that are near.
_NEAR = 2
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 257, 509, 1021)


def any_shapes(facts: Facts) -> Examples:
    """Return examples ``{"shapes": [...]}``: the inputs' shapes, anywhere in the profile.

    Raises:
        NotApplicable: The case has no dynamic dimension.
    """
    insist_on_extents(facts)
    listed = functools.partial(_listed, facts, facts.shapes_at)
    return Examples(
        lambda: _extents(facts).map(functools.partial(_shaped, facts, _telescopes(facts))), listed, ends=True
    )


def runnable_shapes(facts: Facts) -> Examples:
    """Return examples as :func:`any_shapes` does, with smaller dimensions if a tensor is too large to run.

    Raises:
        NotApplicable: The case has no dynamic dimension.
    """
    insist_on_extents(facts)
    return Examples(lambda: runnables(facts), functools.partial(_listed, facts, small(facts)), ends=True)


def insist_on_extents(facts: Facts) -> None:
    """Check that the case has a dynamic dimension.

    Raises:
        NotApplicable: It has none.
    """
    if not facts.extents:
        raise NotApplicable("the case has one shape only")


def columns_of(facts: Facts, chance: random.Random) -> list[Column]:
    """Return a column for each dimension that may vary, for :func:`covering`."""
    return [_column(extent, chance) for extent in facts.extents]


def _column(extent: Extent, chance: random.Random) -> Column:
    """Return a dimension's column. Edges are the bounds, the minimum plus 1, and the optimum.

    Its values are one number for each remainder by `_TILE` and, for a long range, the numbers of :func:`likely`.
    """
    low, end = extent.low, extent.high + 1
    edges = dict.fromkeys((low, low + 1, extent.best, extent.high))
    values = [chance.choice(range(first, end, _TILE)) for first in range(low, min(low + _TILE, end))]
    return Column(tuple(edges), (*values, *(likely(extent) if end - low > _SHORT else ())))


def _listed(facts: Facts, shapes_at: Callable[[Values], Shapes], chance: random.Random) -> list[dict[str, Any]]:
    keys = [extent.key for extent in facts.extents]
    rows = covering(columns_of(facts, chance), chance)
    return [{"shapes": shapes_at(dict(zip(keys, row, strict=True)))} for row in rows]


def runnables(facts: Facts) -> Any:
    """Return the strategy that :func:`runnable_shapes` generates with."""
    return _extents(facts).map(functools.partial(_runnable, facts, _telescopes(facts)))


def sequences(facts: Facts) -> Examples:
    """Return examples ``{"sequence": [shapes, ...]}``: the shapes of one object's runs. The last repeats the first.

    Raises:
        NotApplicable: The case has no dynamic dimension.
    """
    insist_on_extents(facts)

    telescopes = _telescopes(facts)
    extents = [range(each.end + 1) for each in telescopes] * _LONGEST
    ways = (range(2, _LONGEST + 1), _KINSHIPS)
    return _of_rows([*extents, *ways], functools.partial(_sequence, facts, telescopes))


def _of_rows(columns: Sequence[Sequence[Any]], made: Callable[[tuple[Any, ...]], Any]) -> Examples:
    """Return examples that ``made`` makes from rows with one value of each column; the fixed ones need no Hypothesis.

    Each example is one tuple of numbers. With nested tuples, Hypothesis would copy numbers between them.
    """

    def drawn() -> Any:
        from hypothesis import strategies  # noqa: PLC0415 - see the module's docstring

        return strategies.tuples(*map(strategies.sampled_from, columns)).map(made)

    def listed(chance: random.Random) -> list[Any]:
        return [made(tuple(map(chance.choice, columns))) for _ in range(1 + QUIET_OF_KEPT)]

    return Examples(drawn, listed, ends=True, remembers=True)


def programs(facts: Facts) -> Examples:
    """Return examples ``{"schedule": ..., "shapes": ..., "program": ...}`` of `harness.strategies.programs`."""

    def drawn() -> Any:
        from hypothesis import strategies  # noqa: PLC0415 - see the module's docstring

        from harness.strategies.programs import machine  # noqa: PLC0415 - as above

        return machine(runnables(facts) if facts.extents else strategies.just({"shapes": facts.shapes_at({})}))

    return Examples(drawn, functools.partial(_listed_programs, facts), ends=True, remembers=True)


def _listed_programs(facts: Facts, chance: random.Random) -> list[dict[str, Any]]:
    from harness.strategies.programs import tours  # noqa: PLC0415 - as above

    return tours([each["shapes"] for each in _listed(facts, small(facts), chance)], chance)


def crowds(facts: Facts) -> Examples:
    """Return examples ``{"threads": [shapes, ...], "turns": n, "steps": [...]}``: threads' shapes, and a schedule.

    The threads share the first or the last dimensions, or all, or none. The others may be near each other.
    """
    telescopes, count = _telescopes(facts), len(facts.extents)
    extents = [range(each.end + 1) for each in telescopes] * max(_THREADS)
    kinships = [(*range(2 * count), count, count), (False, True, True)]  # often all dimensions are shared
    ways = [_THREADS, *kinships, _TURNS, _LENGTHS, *[_STEPS] * max(_LENGTHS)]
    return _of_rows([*extents, *ways], functools.partial(_crowd, facts, telescopes))


def _crowd(facts: Facts, telescopes: Sequence[_Telescope], drawn: tuple[Any, ...]) -> dict[str, Any]:
    count = len(telescopes)
    number, common, near, turns, length, *steps = drawn[count * max(_THREADS) :]
    first, *others = (drawn[count * place : count * (place + 1)] for place in range(number))
    if near:
        others = [_beside(first, other, telescopes) for other in others]
    rows = [first, *(_mixed(first, other, common) for other in others)]
    threads = [_runnable(facts, telescopes, each)["shapes"] for each in rows]
    return {"threads": threads, "turns": turns, "steps": steps[:length]}


def _beside(first: Sequence[int], other: Sequence[int], telescopes: Sequence[_Telescope]) -> tuple[int, ...]:
    """Return numbers that differ from ``first`` by at most `_NEAR`; ``other`` decides by how much."""
    moved = (one + by % (2 * _NEAR + 1) - _NEAR for one, by in zip(first, other, strict=True))
    return tuple(min(max(number, 0), each.end) for number, each in zip(moved, telescopes, strict=True))


def _mixed(first: tuple[int, ...], other: tuple[int, ...], common: int) -> tuple[int, ...]:
    """Return ``other`` with the first ``common`` numbers of ``first``.

    If ``common`` is larger than the number n of dimensions, the last ``2 n - common`` numbers of ``first`` are kept
    instead.
    """
    if common <= len(first):
        return first[:common] + other[common:]
    kept = 2 * len(first) - common
    return other[:-kept] + first[-kept:]


def _sequence(facts: Facts, telescopes: Sequence[_Telescope], drawn: tuple[Any, ...]) -> dict[str, Any]:
    *numbers, length, kinship = drawn
    count, shapes_at = len(telescopes), small(facts)
    rows = [[each.value(numbers[count * row + at]) for at, each in enumerate(telescopes)] for row in range(length)]
    if kinship == "near":
        steps = [[n % (2 * _NEAR + 1) - _NEAR for n in row] for row in rows]
        rows[1:] = [[n + step for n, step in zip(rows[0], row, strict=True)] for row in steps[1:]]
    elif kinship == "turned":
        rows[1:] = [rows[0][place:] + rows[0][:place] for place in range(1, length)]
    pairs = [zip(telescopes, row, strict=True) for row in rows]
    shapes = [shapes_at({each.extent.key: each.legal(n) for each, n in row}) for row in pairs]
    return {"sequence": [*shapes, shapes[0]]}


def _extents(facts: Facts) -> Any:
    from hypothesis import strategies  # noqa: PLC0415 - see the module's docstring

    ends = [telescope.end for telescope in _telescopes(facts)]
    # Not integers(): Hypothesis copies numbers between integers, and prefers some of them.
    return strategies.tuples(*(strategies.sampled_from(range(end + 1)) for end in ends))


class _Telescope:
    """Maps a generated number from 0 to ``end`` to a dimension: first the whole range, then likely values, repeated."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self._length = extent.high - extent.low + 1
        self._likely = likely(extent) if self._length > _SHORT else []
        repeats = max(1, int(self._length * _SHARE) // len(self._likely)) if self._likely else 0
        self.end = self._length + repeats * len(self._likely) - 1

    def value(self, drawn: int) -> int:
        if drawn < self._length:
            return self.extent.low + drawn
        return self._likely[(drawn - self._length) % len(self._likely)]

    def legal(self, number: int) -> int:
        """Return the value in the dimension's range that is nearest to a number."""
        return min(max(number, self.extent.low), self.extent.high)


def likely(extent: Extent) -> list[int]:
    """Return values at which plugins often fail: bounds, optimum and powers of two, their neighbours, and primes."""
    near = [bound + step for bound in (extent.low, extent.best, extent.high) for step in (-1, 0, 1)]
    powers = [(1 << bits) + step for bits in range(extent.high.bit_length() + 1) for step in (-1, 0, 1)]
    return sorted({n for n in (*near, *powers, *_PRIMES) if extent.low <= n <= extent.high})


def _telescopes(facts: Facts) -> list[_Telescope]:
    return [_Telescope(extent) for extent in facts.extents]


def _shaped(facts: Facts, telescopes: Sequence[_Telescope], drawn: tuple[int, ...]) -> dict[str, Any]:
    values = {each.extent.key: each.value(number) for each, number in zip(telescopes, drawn, strict=True)}
    return {"shapes": facts.shapes_at(values)}


def _runnable(facts: Facts, telescopes: Sequence[_Telescope], drawn: tuple[int, ...]) -> dict[str, Any]:
    values = {each.extent.key: each.value(number) for each, number in zip(telescopes, drawn, strict=True)}
    return {"shapes": small(facts)(values)}


def small(facts: Facts) -> Callable[[Values], Shapes]:
    """Return a function from values of dimensions to shapes. It lowers values until no tensor is too large to run."""
    lows = {extent.key: extent.low for extent in facts.extents}

    def lowered(values: Values) -> Shapes:
        values = dict(values)
        shapes = facts.shapes_at(values)
        while max(map(_volume, shapes), default=0) > RUNNABLE and values != lows:
            widest = max(values, key=lambda key: values[key] - lows[key])
            values[widest] = lows[widest] + (values[widest] - lows[widest]) // 2
            shapes = facts.shapes_at(values)
        return shapes

    return lowered


def _volume(shape: Sequence[int]) -> int:
    volume = 1
    for extent in shape:
        volume *= max(extent, 1)
    return volume
