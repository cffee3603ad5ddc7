"""Decide whether one version is slower than another, from samples taken in turn and a margin.

Theory. An *occasion* is a series of rounds in the same memory. In a *round* the candidate, the baseline, the baseline
and the candidate run once each. Samples of one occasion share random effects: addresses of memory, the part of the
cache, other running work. However many they are, they are one observation. So each occasion gives one number: the share
by which the candidate took longer. The Hodges-Lehmann shift of these numbers has an interval that holds for any
distribution. For eight numbers the interval is their whole range. By chance the whole range is too high in one of 256
comparisons. Two versions whose times differ by at most the margin count as the same. The result is AMBIGUOUS if the
interval crosses a bound of the margin.
"""

from __future__ import annotations

import enum
import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from harness.protocol.latency_estimates import Interval, shift

if TYPE_CHECKING:
    Round = Sequence[float]
    Occasion = Sequence[Round]


class ShiftVerdict(enum.Enum):
    """The result of comparing the candidate with its baseline."""

    FASTER = "FASTER"
    SAME = "SAME"
    SLOWER = "SLOWER"
    AMBIGUOUS = "AMBIGUOUS"


class Comparison(Struct, frozen=True):
    """The comparison of a candidate with its baseline.

    Attributes:
        outcome: Whether the candidate is slower, faster or the same.
        change: The share by which the candidate takes longer than the baseline, with the bounds of 99 % confidence.
        candidate: The candidate's median, in seconds.
        baseline: The baseline's median, in seconds.
        occasions: The number of occasions.
        margin: The share up to which the two count as the same.
    """

    outcome: ShiftVerdict
    change: Interval
    candidate: float
    baseline: float
    occasions: int
    margin: float

    def __str__(self) -> str:
        low, middle, high = (f"{share:+.1%}" for share in self.change)
        return (
            f"{self.outcome.value}: {middle} ({low} to {high}), {us(self.candidate)} where it was {us(self.baseline)}, "
            f"{self.occasions} occasions"
        )


def compared(occasions: Sequence[Occasion], margin: float) -> Comparison:
    """Return the comparison; each round has the seconds of candidate, baseline, baseline and candidate."""
    change = shift([statistics.median((a + d) / (b + c) - 1 for a, b, c, d in occasion) for occasion in occasions])
    rounds = [each for occasion in occasions for each in occasion]
    candidate = statistics.median(seconds for a, _, _, d in rounds for seconds in (a, d))
    baseline = statistics.median(seconds for _, b, c, _ in rounds for seconds in (b, c))
    return Comparison(outcome_of(change, margin), change, candidate, baseline, len(occasions), margin)


def counted_more(candidate: Mapping[str, int], baseline: Mapping[str, int]) -> list[str]:
    """Return a text for each count that has grown; counts have no noise, so no margin applies."""
    return [
        f"{name.replace('_', ' ')}: {candidate[name]}, where it was {baseline[name]}"
        for name in candidate
        if name in baseline and candidate[name] > baseline[name]
    ]


def outcome_of(change: Interval, margin: float) -> ShiftVerdict:
    """Return the outcome for an interval of the change: AMBIGUOUS if it crosses ``margin`` or ``-margin``."""
    if change.low > margin:
        return ShiftVerdict.SLOWER
    if change.high < -margin:
        return ShiftVerdict.FASTER
    return ShiftVerdict.SAME if change.low >= -margin and change.high <= margin else ShiftVerdict.AMBIGUOUS


def us(seconds: float) -> str:
    """Return a time in microseconds."""
    return f"{seconds * 1e6:,.2f} us"
