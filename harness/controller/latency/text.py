"""Write the latencies of one case as lines of text, with the lower bounds that no plugin can beat."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.controller.latency.shift import us
from harness.protocol.latency_estimates import deviation, interval_of_median, quantile
from harness.protocol.latency_quantity import Group, Quantity
from harness.protocol.latency_samples import STAND_INS

if TYPE_CHECKING:
    from harness.protocol.latency_samples import Sampled

_NET_OF = {
    Quantity.HOST_ENQUEUE: (Quantity.HOST_ENQUEUE_NET, "net of an empty plugin"),
    Quantity.DEVICE_HOT: (Quantity.DEVICE_HOT_NET, "net of an empty kernel"),
    Quantity.DEVICE_COLD: (Quantity.DEVICE_COLD_NET, "net of an empty kernel"),
}


def details(quantity: Quantity, measured: Sampled) -> dict[str, Any]:
    """Return the statistics and facts about the samples of a quantity, for pytest-benchmark's JSON; in seconds."""
    samples = measured.series[quantity.value]
    low, median, high = interval_of_median(samples)
    return {
        "quantity": quantity.value,
        "meaning": quantity.meaning,
        "method": measured.methods.get(quantity.value, ""),
        "median": median,
        "median_99": [low, high],
        "p10": quantile(samples, 0.1),
        "p90": quantile(samples, 0.9),
        "p99": quantile(samples, 0.99),
        "mad": deviation(samples),
        "facts": dict(measured.facts),
        "counts": dict(measured.counts),
    }


def lines_of(measured: Sampled) -> Iterator[str]:
    """Yield the lines about one case."""
    for quantity in Quantity:
        if quantity.value in measured.series and quantity not in {net for net, _ in _NET_OF.values()}:
            yield _line(quantity, measured)
    if measured.counts:
        counts = (
            f"{count} {name.replace('_', ' ').replace('cuda', 'CUDA')}" for name, count in measured.counts.items()
        )
        yield "each call: " + ", ".join(counts)
    yield from _bound(measured)
    if STAND_INS in measured.facts:
        kernels = ", ".join(measured.facts[STAND_INS])
        yield f"stand-ins ran for {kernels}: their time is in it, that of a launch is not"
    for why in dict.fromkeys(measured.missing.values()):
        names = [name for name, reason in measured.missing.items() if reason == why]
        yield f"not measured: {', '.join(names)}: {why}"


def floors(measured: Sampled) -> dict[str, dict[str, Any]]:
    """Return lower bounds, by quantity: the ``seconds``, and ``of``, the work that takes this time without a plugin."""
    series, facts = measured.series, measured.facts
    bounds: dict[str, dict[str, Any]] = {}
    host, net = (series.get(each.value) for each in (Quantity.HOST_ENQUEUE, Quantity.HOST_ENQUEUE_NET))
    if host and net:
        seconds = max(statistics.median(host) - statistics.median(net), 0.0)
        bounds[Quantity.HOST_ENQUEUE.value] = {"seconds": seconds, "of": "an empty plugin"}
    if Quantity.DEVICE_HOT.value in series:
        copy, launch = facts["moved_bytes"] / facts["bytes_per_second"], facts["launch"]
        of = "one launch" if launch >= copy else "a copy of as many bytes"
        bounds[Quantity.DEVICE_HOT.value] = {"seconds": max(copy, launch), "of": of}
    return bounds


def _line(quantity: Quantity, measured: Sampled) -> str:
    samples = measured.series[quantity.value]
    if quantity.group is not Group.STEADY:
        worst = us(max(samples))
        return f"{quantity.value:<18}{us(statistics.median(samples)):>12}, at most {worst} in {len(samples)} processes"
    low, median, high = interval_of_median(samples)
    net, words = _NET_OF[quantity]
    less = us(statistics.median(measured.series[net.value]))
    return f"{quantity.value:<18}{us(median):>12} ({us(low)} to {us(high)}); {less} {words}"


def _bound(measured: Sampled) -> Iterator[str]:
    """Yield whether host or device limits the plugin's speed, and the device's lower bound; none without a device."""
    series, facts = measured.series, measured.facts
    if Quantity.DEVICE_HOT.value not in series:
        return
    host, hot = (statistics.median(series[each.value]) for each in (Quantity.HOST_ENQUEUE, Quantity.DEVICE_HOT))
    who, other = ("host", "device") if host > hot else ("device", "host")
    yield f"bound by the {who}: {us(max(host, hot))} a call, where the {other} takes {us(min(host, hot))}"
    nbytes, rate, launch = facts["moved_bytes"], facts["bytes_per_second"], facts["launch"]
    floor = floors(measured)[Quantity.DEVICE_HOT.value]
    yield (
        f"floor: {us(floor['seconds'])} ({floor['of']}; {nbytes:,} bytes of inputs and outputs take "
        f"{us(nbytes / rate)} at {rate / 1e12:.2f} TB/s, a launch {us(launch)}). "
        f"Here device_hot is {hot / floor['seconds']:.1f} times that"
    )
