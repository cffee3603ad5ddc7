"""A loop that spins on the host, in an ``enqueue`` that takes a known time as a whole.

Reading a clock takes a time of its own, on some machines a fifth of a microsecond: so what the loop aims at is set by
timing calls from outside, in short batches, less those of an ``enqueue`` that does nothing. Between two calls comes
other work in Python, as it does between two calls of a runtime: a call that follows itself takes up to a fifth of a
microsecond less.
"""

import functools
import itertools
import json
import statistics
import time

BATCHES, BATCH_NS, OTHER_WORK_NS = 400, 50_000, 10_000


def spin(nanoseconds, now=time.perf_counter_ns):
    until = now() + nanoseconds
    while now() < until:
        pass


class Spinning:
    """Has the ``enqueue`` of ``spin_plugin``, as far as the host is concerned."""

    host_ns = device_us = 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.host_ns:
            spin(self.host_ns)
        if self.device_us:
            raise NotImplementedError


class Nothing:
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        pass


def other_work():
    json.loads(json.dumps({"dims": list(range(12)), "name": "a tensor"}))


def batch(plugin, count):
    begun = time.perf_counter_ns()
    for _ in itertools.repeat(None, count):
        other_work()
        plugin.enqueue(None, None, None, None, 0, 0)
    return (time.perf_counter_ns() - begun) / count


def taken(nanoseconds):
    """Return what a call takes that aims at so many nanoseconds, more than one that does nothing."""
    spinning, nothing, count = Spinning(), Nothing(), max(1, BATCH_NS // (nanoseconds + OTHER_WORK_NS))
    spinning.host_ns = nanoseconds
    return statistics.median(batch(spinning, count) - batch(nothing, count) for _ in range(BATCHES))


@functools.cache
def aim(nanoseconds):
    """Return what the loop has to aim at to take so many nanoseconds."""
    aimed = nanoseconds
    for _ in range(3):
        aimed -= round(taken(aimed) - nanoseconds)
    return aimed
