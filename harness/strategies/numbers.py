"""Generate numbers below a bound, each as likely as any other.

Hypothesis has habits with integers that do not suit fuzz rules. In a range of more than a few hundred it prefers small
numbers, and it copies numbers between similar ranges. So a number is drawn in two digits, and no two digits have the
same range.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def numbers_below(bounds: Sequence[int]) -> Any:
    """Return a strategy for as many numbers as there are bounds, each below its own."""
    from hypothesis import strategies  # noqa: PLC0415 - the child reads rules too, and never draws

    bases = [math.isqrt(bound) + 1 + place for place, bound in enumerate(bounds)]
    digits = [range(length) for bound, base in zip(bounds, bases, strict=True) for length in (-(-bound // base), base)]

    def numbers(drawn: tuple[int, ...]) -> tuple[int, ...]:
        pairs = zip(drawn[::2], drawn[1::2], bases, bounds, strict=True)
        return tuple((high * base + low) % bound for high, low, base, bound in pairs)

    return strategies.tuples(*map(strategies.sampled_from, digits)).map(numbers)
