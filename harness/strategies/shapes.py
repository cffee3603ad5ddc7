"""What examples are drawn from: strategies of Hypothesis for the shapes of a case.

The numbers that Hypothesis draws are few and plain, an integer for an extent, because drawing is most of what an
example costs. Rules are read in the child too, which never draws: so Hypothesis is imported where it is used.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from harness.contract.finding import NotApplicable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.facts import Extent, Facts

#: Elements that a tensor has at most where a plugin shall run: an example should take milliseconds.
RUNNABLE = 1 << 15
#: In a range up to this length every value is as likely as any other; in a longer one some are more likely.
_SHORT = 32
#: How often they are, compared with all values of the range.
_SHARE = 0.3
#: Shapes in a sequence, before it comes back to the first.
_LONGEST = 3
#: Threads, turns, different ones among them, and the points of one; each is drawn as often as it stands here.
_THREADS = (2, 2, 2, 3)
_TURNS = (1, 1, 2, 3, 4, 6, 8, 16, 32, 64, 128, *(256,) * 8)
_LENGTHS = (1, 1, 2)
_STEPS = (64, 48, 40, 32, 28, 24, 21, 18, 16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4, 4, 3, 3, *(2,) * 4, *(1,) * 8)
#: How far an extent may be from that of another thread, where the two are near each other.
_NEAR = 2
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 257, 509, 1021)


def any_shapes(facts: Facts) -> Any:
    """Return a strategy for ``{"shapes": [...]}``: the inputs' shapes, anywhere in the profile.

    Raises:
        NotApplicable: The case has one shape only.
    """
    return _extents(facts).map(functools.partial(_shaped, facts, _telescopes(facts)))


def runnable_shapes(facts: Facts) -> Any:
    """Return the strategy of :func:`any_shapes`, with the largest extents lowered where a tensor would be too large."""
    return _extents(facts).map(functools.partial(_runnable, facts, _telescopes(facts)))


def sequences(facts: Facts) -> Any:
    """Return a strategy for ``{"sequence": [shapes, ...]}``: what one object runs at, and in the end the first again.

    Raises:
        NotApplicable: The case has one shape only.
    """
    from hypothesis import strategies  # noqa: PLC0415 - see the module's docstring

    shapes = runnable_shapes(facts)
    return strategies.lists(shapes, min_size=2, max_size=_LONGEST).map(_and_back)


def programs(facts: Facts) -> Any:
    """Return a state machine that writes ``{"schedule": ..., "shapes": ..., "program": ...}``: see its module."""
    from hypothesis import strategies  # noqa: PLC0415 - see the module's docstring

    from harness.strategies.programs import machine  # noqa: PLC0415 - as above

    return machine(runnable_shapes(facts) if facts.extents else strategies.just({"shapes": facts.shapes_at({})}))


def crowds(facts: Facts) -> Any:
    """Return a strategy for ``{"threads": [shapes, ...], "turns": n, "steps": [...]}``: what runs at once, how in turn.

    Some of their extents threads have in common, all or none of them; the others are near each other, or are not.
    """
    from hypothesis import strategies  # noqa: PLC0415 - see the module's docstring

    telescopes, count = _telescopes(facts), len(facts.extents)
    extents = [range(each.end + 1) for each in telescopes] * max(_THREADS)
    kinships = [range(max(2 * count, 1)), (False, True, True)]
    ways = [_THREADS, *kinships, _TURNS, _LENGTHS, *[_STEPS] * max(_LENGTHS)]
    # One row of numbers: Hypothesis copies parts of an example between places that are made alike.
    drawn = strategies.tuples(*map(strategies.sampled_from, [*extents, *ways]))
    return drawn.map(functools.partial(_crowd, facts, telescopes))


def _crowd(facts: Facts, telescopes: Sequence[_Telescope], drawn: tuple[Any, ...]) -> dict[str, Any]:
    count = len(telescopes)
    number, common, near, turns, length, *steps = drawn[count * max(_THREADS) :]
    first, *others = (drawn[count * place : count * (place + 1)] for place in range(number))
    if near:
        others = [_beside(first, other, telescopes) for other in others]
    alike = [first, *(_mixed(first, other, common) for other in others)]
    threads = [_runnable(facts, telescopes, each)["shapes"] for each in alike]
    return {"threads": threads, "turns": turns, "steps": steps[:length]}


def _beside(first: Sequence[int], other: Sequence[int], telescopes: Sequence[_Telescope]) -> tuple[int, ...]:
    """Return numbers near the ``first`` ones, by chance of the ``other`` ones."""
    moved = (one + by % (2 * _NEAR + 1) - _NEAR for one, by in zip(first, other, strict=True))
    return tuple(min(max(number, 0), each.end) for number, each in zip(moved, telescopes, strict=True))


def _mixed(first: tuple[int, ...], other: tuple[int, ...], common: int) -> tuple[int, ...]:
    """Return ``other`` with ``common`` of the first extents of ``first``; where there are fewer, with the last ones."""
    if common <= len(first):
        return first[:common] + other[common:]
    kept = 2 * len(first) - common
    return other[:-kept] + first[-kept:]


def _and_back(drawn: list[dict[str, Any]]) -> dict[str, Any]:
    return {"sequence": [*(each["shapes"] for each in drawn), drawn[0]["shapes"]]}


def _extents(facts: Facts) -> Any:
    from hypothesis import strategies  # noqa: PLC0415 - see the module's docstring

    if not facts.extents:
        raise NotApplicable("the case has one shape only")
    ends = [telescope.end for telescope in _telescopes(facts)]
    # Not integers(): Hypothesis copies numbers between those, and prefers some.
    return strategies.tuples(*(strategies.sampled_from(range(end + 1)) for end in ends))


class _Telescope:
    """From the number that is drawn to an extent: the range as it is, and behind it what shall be likely."""

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


def likely(extent: Extent) -> list[int]:
    """Return the values at which plugins go wrong: the bounds and their neighbours, 0, 1, primes, powers of two."""
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
    lows = {each.extent.key: each.extent.low for each in telescopes}
    shapes = facts.shapes_at(values)
    while max(map(_volume, shapes), default=0) > RUNNABLE and values != lows:
        widest = max(values, key=lambda key: values[key] - lows[key])
        values[widest] = lows[widest] + (values[widest] - lows[widest]) // 2
        shapes = facts.shapes_at(values)
    return {"shapes": shapes}


def _volume(shape: Sequence[int]) -> int:
    volume = 1
    for extent in shape:
        volume *= max(extent, 1)
    return volume
