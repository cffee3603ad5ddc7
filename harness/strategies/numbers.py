"""Generate numbers below a bound with about equal probability.

Hypothesis prefers small numbers in a range of more than a few hundred, and copies numbers between equal ranges. Neither
suits fuzz rules. So a number is generated as two digits, and the ranges of the digits differ.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def numbers_below(bounds: Sequence[int]) -> Any:
    """Return a strategy for a tuple of numbers from 0 up, each below its bound."""
    from hypothesis import strategies  # noqa: PLC0415 - the worker process imports this module, and generates nothing

    bases = [math.isqrt(bound) + 1 + place for place, bound in enumerate(bounds)]
    digits = [range(length) for bound, base in zip(bounds, bases, strict=True) for length in (-(-bound // base), base)]

    def numbers(drawn: tuple[int, ...]) -> tuple[int, ...]:
        pairs = zip(drawn[::2], drawn[1::2], bases, bounds, strict=True)
        return tuple((high * base + low) % bound for high, low, base, bound in pairs)

    return strategies.tuples(*map(strategies.sampled_from, digits)).map(numbers)
