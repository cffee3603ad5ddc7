"""Take samples on the host: time blocks of calls, alternating between two plugins.

Theory. Reading the clock twice takes about as long as one call, so calls are timed in blocks. Two plugins are timed in
the order first, second, second, first, so that a drift affects both alike. The garbage collector is off. A stream is
drained outside the timed part, and never holds more than the calls of a block.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from harness.protocol.latency_estimates import interval_of_median

if TYPE_CHECKING:
    Clock = Callable[[], int]

_NANO = 1e-9
#: The number of blocks before a block, and behind it, that count as taken at the same time.
_BESIDE = 5


class Budget(Struct, frozen=True):
    """The conditions that end a measurement: enough samples with enough precision, or too much time.

    Attributes:
        least: The least number of samples.
        least_seconds: The least number of seconds from the first sample to the last.
        precision: Half of the median's 99 % interval, as a share of the median.
        most_seconds: Seconds after which measuring stops; at least three samples are taken.
    """

    least: int = 30
    least_seconds: float = 0.1
    precision: float = 0.01
    most_seconds: float = 1.0

    def is_enough(self, samples: Sequence[float], seconds: float) -> bool:
        """Return whether no more samples are needed; ``seconds`` have passed since the first."""
        if seconds >= self.most_seconds:
            return len(samples) >= min(self.least, 3)
        if len(samples) < self.least or seconds < self.least_seconds or len(samples) % self.least:
            return False
        low, middle, high = interval_of_median(samples)
        return high - low <= 2 * self.precision * abs(middle)


class Pairs(Struct, frozen=True):
    """Seconds per call of two plugins that were timed alternately, one entry for each block."""

    first: list[float]
    second: list[float]

    @property
    def differences(self) -> list[float]:
        """Return how much longer each block of ``first`` took than the median of its neighbours in ``second``."""
        begins = (max(place - _BESIDE, 0) for place in range(len(self.first)))
        beside = (statistics.median(self.second[begin : begin + 2 * _BESIDE]) for begin in begins)
        return [seconds - median for seconds, median in zip(self.first, beside, strict=True)]

    @classmethod
    def taken(
        cls,
        first: Callable[[], float],
        second: Callable[[], float],
        budget: Budget,
        clock: Clock = time.perf_counter_ns,
    ) -> Pairs:
        """Take blocks of both alternately until ``budget`` says that they are enough; ``first`` times one block."""
        pairs, begun = cls([], []), clock()
        while not budget.is_enough(pairs.first, (clock() - begun) * _NANO):
            one, other = first(), second()
            again = second()
            pairs.first.extend((one, first()))
            pairs.second.extend((other, again))
        return pairs


def block(call: Callable[[], object], count: int, clock: Clock = time.perf_counter_ns) -> float:
    """Return the seconds per call of ``count`` calls."""
    calls = itertools.repeat(None, count)
    begun = clock()
    for _ in calls:
        call()
    return (clock() - begun) * _NANO / count


@contextlib.contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Keep the garbage collector from running in a block."""
    collects = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
