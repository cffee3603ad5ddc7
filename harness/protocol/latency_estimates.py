"""Compute statistics of samples: medians, the interval of a median, and the shift between two series.

Latencies have long tails, so these statistics assume no distribution: intervals are found by ranks.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Final, NamedTuple

#: The quantile of the normal distribution for two-sided 99 %; ranks of many samples follow that distribution.
_Z99: Final = 2.5758293035489004


class Interval(NamedTuple):
    """An estimate, with the bounds of its confidence interval."""

    low: float
    middle: float
    high: float


def interval_of_median(samples: Sequence[float]) -> Interval:
    """Return the median and its 99 % confidence interval, by the ranks beside the middle."""
    ordered, count = sorted(samples), len(samples)
    reach = _Z99 * math.sqrt(count) / 2
    low, high = math.floor(count / 2 - reach), math.ceil(count / 2 + reach)
    return Interval(ordered[max(low, 0)], statistics.median(ordered), ordered[min(high, count - 1)])


def quantile(samples: Sequence[float], share: float) -> float:
    """Return the sample at a ``share`` of the order, from 0 (least) to 1 (greatest)."""
    ordered = sorted(samples)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def deviation(samples: Sequence[float]) -> float:
    """Return the median distance of the samples from their median."""
    middle = statistics.median(samples)
    return statistics.median(abs(sample - middle) for sample in samples)


def shift(differences: Sequence[float]) -> Interval:
    """Return the Hodges-Lehmann estimate of paired differences, with the 99 % interval of Wilcoxon's signed ranks."""
    count = len(differences)
    averages = sorted(
        (differences[one] + differences[other]) / 2 for one in range(count) for other in range(one, count)
    )
    total = len(averages)
    spread = _Z99 * math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    low = math.floor(total / 2 - spread)
    return Interval(averages[max(low, 0)], statistics.median(averages), averages[min(total - 1 - low, total - 1)])
