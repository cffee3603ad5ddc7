"""Spin on the host for a time that makes a whole ``enqueue`` take a known time.

Reading a clock takes time, too, on some machines a fifth of a microsecond. So ``aim`` finds the time for the loop. It
times calls from outside, in short batches, and subtracts the time of an ``enqueue`` that does nothing. Between two
calls it does other work in Python, as a runtime does. Without this work, a call takes up to a fifth of a microsecond
less.
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
    """The plugin of ``spin_plugin``, reduced to its ``enqueue`` on the host."""

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
    """Return the nanoseconds that a call takes if its loop spins for ``nanoseconds``, minus those of an empty call."""
    spinning, nothing, count = Spinning(), Nothing(), max(1, BATCH_NS // (nanoseconds + OTHER_WORK_NS))
    spinning.host_ns = nanoseconds
    return statistics.median(batch(spinning, count) - batch(nothing, count) for _ in range(BATCHES))


@functools.cache
def aim(nanoseconds):
    """Return the nanoseconds for the loop with which the whole call takes ``nanoseconds``."""
    aimed = nanoseconds
    for _ in range(3):
        aimed -= round(taken(aimed) - nanoseconds)
    return aimed
