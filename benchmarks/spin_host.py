"""A loop that spins on the host for a known time, a call of it included.

Reading a clock takes a time of its own, on some machines a fifth of a microsecond: so what is aimed at is set by timing
the loop from outside, in short batches, less an empty function's.
"""

import functools
import itertools
import statistics
import time

BATCHES, BATCH_NS = 400, 50_000


def spin(nanoseconds, now=time.perf_counter_ns):
    until = now() + nanoseconds
    while now() < until:
        pass


def nothing(nanoseconds):
    pass


def batch(function, nanoseconds):
    count = max(1, BATCH_NS // nanoseconds)
    begun = time.perf_counter_ns()
    for _ in itertools.repeat(None, count):
        function(nanoseconds)
    return (time.perf_counter_ns() - begun) / count


def taken(nanoseconds):
    """Return what the loop takes when it aims at so many nanoseconds."""
    return statistics.median(batch(spin, nanoseconds) - batch(nothing, nanoseconds) for _ in range(BATCHES))


@functools.cache
def aim(nanoseconds):
    """Return what the loop has to aim at to take so many nanoseconds."""
    aimed = nanoseconds
    for _ in range(3):
        aimed -= round(taken(aimed) - nanoseconds)
    return aimed
