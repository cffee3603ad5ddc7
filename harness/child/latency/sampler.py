"""Answer a request for latencies: take the samples of one group of quantities in this process."""

from __future__ import annotations

import platform
import statistics
from typing import TYPE_CHECKING

from harness.checks.running.driver import fresh_driver
from harness.checks.sampling.sampling import best_shapes
from harness.child.latency.blocks import Budget
from harness.child.latency.counts import counted
from harness.child.latency.empty import empty_driver
from harness.child.latency.host import host_enqueue
from harness.child.latency.one_shots import one_shot
from harness.child.latency.ready_plugin import standing, unobserved
from harness.protocol.latency_quantity import Group, Quantity
from harness.protocol.latency_samples import Sampled
from harness.protocol.requests import COUNTS
from harness.subject.calling import strictly

if TYPE_CHECKING:
    from harness.child.latency.ready_plugin import Stand
    from harness.subject.subject import Subject

_USUAL = Budget()


def sampled(subject: Subject, what: str, most_seconds: float = _USUAL.most_seconds) -> Sampled:
    """Return the samples of the group ``what``, or the counts; a measurement takes at most ``most_seconds``."""
    samples, budget = Sampled(), Budget(most_seconds=most_seconds)
    if what == COUNTS:
        samples.counts = counted(subject)
    elif what == Group.STEADY.value:
        _steady(subject, samples, budget)
    else:
        samples.keep(Quantity(what), [one_shot(subject, Group(what))])
    return samples


def _steady(subject: Subject, samples: Sampled, budget: Budget) -> None:
    shapes = best_shapes(subject.case)
    driver = fresh_driver(subject).configure(shapes)
    samples.facts["shapes"] = [list(shape) for shape in shapes]
    with standing(driver, shapes) as stand:
        for _ in range(3):
            stand.call_and_wait()
        samples.facts["moved_bytes"] = stand.moved_bytes
        with unobserved(subject.gate):
            with strictly(subject.gate):  # a call that fails may be quick, and is no latency
                pairs = host_enqueue(stand, stand.of(empty_driver(driver).configure(shapes)), budget)
            samples.keep(Quantity.HOST_ENQUEUE, pairs.first)
            samples.keep(Quantity.HOST_ENQUEUE_NET, pairs.differences)
            samples.facts["empty_plugin"] = statistics.median(pairs.second)
            if subject.device.is_asynchronous:
                _on_gpu(stand, samples, budget)
            else:
                samples.facts["machine"] = f"reference-runtime on {platform.processor() or platform.machine()}"


def _on_gpu(stand: Stand, samples: Sampled, budget: Budget) -> None:
    from harness.child.latency import device  # noqa: PLC0415 - there is a GPU
    from reference_runtime.devices import cuda_timing  # noqa: PLC0415 - there is a GPU

    stream = stand.stream.handle
    device.warm_up(stream)
    samples.facts["machine"] = cuda_timing.device_name()
    samples.facts["bytes_per_second"] = device.bandwidth(stream)
    samples.facts["eviction"] = device.eviction(stream)
    try:
        hot = device.device_hot(stand, budget)
        samples.keep(Quantity.DEVICE_HOT, hot.pairs.first)
        samples.keep(Quantity.DEVICE_HOT_NET, hot.pairs.differences)
        samples.methods[Quantity.DEVICE_HOT.value] = f"{hot.method} of {hot.calls} calls"
        samples.facts["launch"] = statistics.median(hot.pairs.second)
        cold = device.device_cold(stand, budget)
        samples.keep(Quantity.DEVICE_COLD, cold.first)
        samples.keep(Quantity.DEVICE_COLD_NET, cold.differences)
        samples.facts["cold_launch"] = statistics.median(cold.second)
    except cuda_timing.HeldTooLongError as error:
        for quantity in Quantity:
            if quantity.needs_gpu and quantity.value not in samples.series:
                samples.missing[quantity.value] = str(error)
