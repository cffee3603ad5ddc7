"""Generate shapes beyond a plugin's case: other ranks, and dimensions up to the largest that TensorRT has.

The examples are for queries of output shapes. No tensor of these shapes is allocated.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from harness.cases.input import LARGEST, MAX_DIMS
from harness.contract.finding import NotApplicable
from harness.strategies.examples import Examples

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from harness.cases.facts import Facts
    from harness.cases.input import Input

#: All dimensions up to this number are generated; above it, only some.
_SMALL = 64
#: The first input's own rank is this many times more likely than other ranks.
_OWN = 5
#: Numbers whose square or cube is near 2^31, and powers of two with their neighbours: products of them may overflow.
_ROOTS = (1290, 1291, 46340, 46341)
_POWERS = tuple((1 << bits) + step for bits in range(7, 32) for step in (-1, 0, 1))
_ALL_KNOWN = (1 << MAX_DIMS) - 1
EXTENTS = (*range(_SMALL + 1), *sorted(n for n in {*_ROOTS, *_POWERS} if n <= LARGEST))


def any_questions(facts: Facts) -> Examples:
    """Return examples ``{"shapes": [...], "known": bits}``: input shapes, and which of their dimensions are constants.

    Each bit of ``known`` means an axis, counted from the last. An input with the case's rank keeps its fixed
    dimensions, and dimensions of one name are equal.

    Raises:
        NotApplicable: The case has no data inputs.
    """
    data = [entry for entry in facts.inputs if not entry.shape_input]
    if not data:
        raise NotApplicable("the plugin has no inputs in this case")
    own = len(data[0].profile[0])
    count = max(sum(len(entry.profile[0]) for entry in facts.inputs), MAX_DIMS)

    def drawn() -> Any:
        from hypothesis import strategies  # noqa: PLC0415 - see `harness.strategies.shapes`

        ranks = [*[own] * _OWN, *range(MAX_DIMS + 1)]
        return strategies.tuples(
            strategies.sampled_from(range(len(ranks))),
            strategies.tuples(*[strategies.sampled_from(range(len(EXTENTS)))] * count),
            strategies.integers(0, _ALL_KNOWN),
        ).map(functools.partial(_drawn, facts.inputs, ranks))

    return Examples(drawn, functools.partial(_listed, facts.inputs, own, count), ends=True)


def _listed(inputs: Sequence[Input], own: int, count: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return two questions for each rank: with symbols only, and with some constants. The own rank has two more."""
    ranks = [*range(MAX_DIMS + 1), own]
    pairs = [(rank, known) for rank in ranks for known in (0, chance.randrange(1, _ALL_KNOWN))]
    return [
        _asked(inputs, rank, chance.choices(EXTENTS, k=count), known)
        for rank, known in chance.sample(pairs, len(pairs))
    ]


def _drawn(inputs: Sequence[Input], ranks: Sequence[int], drawn: tuple[int, tuple[int, ...], int]) -> dict[str, Any]:
    place, places, known = drawn
    # Hypothesis often changes one number and keeps the others. So the rank depends on all of them, and varies as often.
    rank = ranks[(place + sum(places)) % len(ranks)]
    return _asked(inputs, rank, [EXTENTS[place] for place in places], known)


def _asked(inputs: Sequence[Input], rank: int, numbers: Sequence[int], known: int) -> dict[str, Any]:
    more = rank - len(inputs[0].profile[0])
    left = iter(numbers)
    named: dict[str, int] = {}
    shapes = [
        _at_its_rank(entry, left, named)
        if more == 0 or entry.shape_input
        else list(numbers[MAX_DIMS - min(max(len(entry.profile[0]) + more, 0), MAX_DIMS) : MAX_DIMS])
        for entry in inputs
    ]
    return {"shapes": shapes, "known": known}


def _at_its_rank(entry: Input, left: Iterator[int], named: dict[str, int]) -> list[int]:
    low, _, high = entry.profile
    extents = []
    for name, least, most in zip(entry.names, low, high, strict=True):
        number = next(left)
        free = least if least == most else number
        extents.append(free if name is None else named.setdefault(name, number))
    return extents
