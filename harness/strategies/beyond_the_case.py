"""What a plugin is asked beyond its case: other ranks, and extents up to the largest that TensorRT has.

Nothing of it is allocated or run: it is for the query of shapes, which takes any network.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from harness.cases.input import LARGEST, MAX_DIMS
from harness.contract.finding import NotApplicable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.cases.facts import Facts
    from harness.cases.input import Input

#: Up to this extent each is as likely as any other.
_SMALL = 64
#: So often as any other rank the first input's own one is drawn.
_OWN = 5
#: Where two or three extents have a product near 2^31: roots of it, and powers of two.
_ROOTS = (1290, 1291, 46340, 46341)
_POWERS = tuple((1 << bits) + step for bits in range(7, 32) for step in (-1, 0, 1))
EXTENTS = (*range(_SMALL + 1), *sorted(n for n in {*_ROOTS, *_POWERS} if n <= LARGEST))


def any_questions(facts: Facts) -> Any:
    """Return a strategy for ``{"shapes": [...], "known": bits}``: shapes to ask with, and which extents are constants.

    A bit of ``known`` is for an axis, counted from the last one. Where an input has the rank that it has in the case,
    so have its fixed extents their values, and equal names are equal.

    Raises:
        NotApplicable: There is no input to ask with.
    """
    from hypothesis import strategies  # noqa: PLC0415 - as in drawing

    data = [entry for entry in facts.inputs if not entry.shape_input]
    if not data:
        raise NotApplicable("the plugin has no inputs in this case")
    own = len(data[0].profile[0])
    ranks = [*[own] * _OWN, *range(MAX_DIMS + 1)]
    numbers = sum(len(entry.profile[0]) for entry in facts.inputs)
    return strategies.tuples(
        strategies.sampled_from(range(len(ranks))),
        strategies.tuples(*[strategies.sampled_from(range(len(EXTENTS)))] * max(numbers, MAX_DIMS)),
        strategies.integers(0, (1 << MAX_DIMS) - 1),
    ).map(functools.partial(_asked, facts.inputs, ranks))


def _asked(inputs: Sequence[Input], ranks: Sequence[int], drawn: tuple[int, tuple[int, ...], int]) -> dict[str, Any]:
    place, places, known = drawn
    # Hypothesis often changes the one and keeps the other: so that ranks are as many as extents, both decide.
    more = ranks[(place + sum(places)) % len(ranks)] - len(inputs[0].profile[0])
    numbers = [EXTENTS[place] for place in places]
    left = iter(numbers)
    named: dict[str, int] = {}
    shapes = [
        _at_its_rank(entry, left, named)
        if more == 0 or entry.shape_input
        else numbers[MAX_DIMS - min(max(len(entry.profile[0]) + more, 0), MAX_DIMS) : MAX_DIMS]
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
