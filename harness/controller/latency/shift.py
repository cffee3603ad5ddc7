"""Decide whether one version is slower than another, from samples taken in turn and a margin.

Theory. Samples of one occasion share its chance: the address of memory, the part of the cache, other running work.
However many they are, they are one observation. So each occasion, with new memory for both, gives one number: the share
by which the candidate took longer. The Hodges-Lehmann shift of these numbers has an interval that holds for any
distribution. Of eight numbers it is their whole range. That is too high by chance in one of 256 comparisons. Within the
margin to either side the two are the same for practical purposes. An answer is given only where the whole interval is
on one side of a bound.
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
    """A candidate beside its baseline.

    Attributes:
        outcome: What is said of the candidate.
        change: By which share of the baseline it is slower, with the bounds of 99 %.
        candidate: Its median, in seconds.
        baseline: That of the baseline.
        occasions: How many occasions that rests on.
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
    """Return what occasions say: lists of rounds, each the seconds of candidate, baseline, baseline and candidate."""
    change = shift([statistics.median((a + d) / (b + c) - 1 for a, b, c, d in occasion) for occasion in occasions])
    rounds = [each for occasion in occasions for each in occasion]
    candidate = statistics.median(seconds for a, _, _, d in rounds for seconds in (a, d))
    baseline = statistics.median(seconds for _, b, c, _ in rounds for seconds in (b, c))
    return Comparison(outcome_of(change, margin), change, candidate, baseline, len(occasions), margin)


def counted_more(candidate: Mapping[str, int], baseline: Mapping[str, int]) -> list[str]:
    """Return in words which counts have grown; a count has no noise, so one more is one too many."""
    return [
        f"{name.replace('_', ' ')}: {candidate[name]}, where it was {baseline[name]}"
        for name in candidate
        if name in baseline and candidate[name] > baseline[name]
    ]


def outcome_of(change: Interval, margin: float) -> ShiftVerdict:
    """Return what an interval says of the candidate."""
    if change.low > margin:
        return ShiftVerdict.SLOWER
    if change.high < -margin:
        return ShiftVerdict.FASTER
    return ShiftVerdict.SAME if change.low >= -margin and change.high <= margin else ShiftVerdict.AMBIGUOUS


def us(seconds: float) -> str:
    """Return a time in microseconds."""
    return f"{seconds * 1e6:,.2f} us"
