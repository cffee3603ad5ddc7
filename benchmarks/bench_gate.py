"""Count how often ``--plugin-benchmark-against`` is right: it compares equal versions, and one that takes 5 % longer.

    python benchmarks/bench_gate.py device_hot 20 10
    python benchmarks/bench_gate.py host_enqueue 20 10
    python benchmarks/bench_gate.py device_hot 4 10 plugin_examples.bar /Bar/1 rows

The numbers are pairs of new processes, and comparisons in each pair. The kernel, or the loop on the host, spins 20 us.
If a module, plugin and case are named, they are compared with themselves only.
"""

from __future__ import annotations

import collections
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from harness.controller.children.isolation import ProcessIsolation  # noqa: E402 - needs sys.path
from harness.controller.latency.paired_run import BASELINE, CANDIDATE  # noqa: E402 - as above
from harness.controller.latency.regression_check import OCCASIONS, occasions  # noqa: E402 - as above
from harness.controller.latency.shift import compared  # noqa: E402 - as above
from harness.protocol.latency_quantity import Quantity  # noqa: E402 - as above
from harness.protocol.messages import ChildSettings, Request  # noqa: E402 - as above

MARGIN = 0.03
CASES = {
    "device_hot": ("device-20us", "device-20us-slower"),
    "host_enqueue": ("host-about-20us", "host-about-22us"),
}


def child_on(device, module):
    child = ProcessIsolation(ChildSettings(module, path=(str(HERE), str(HERE.parent)), device=device))
    assert child.load().ok
    return child


def outcomes(quantity, children, requests, pairs, comparisons):
    """Return the number of comparisons with each outcome, and the measured changes."""
    counts, changes = collections.Counter(), []
    sides = dict(zip((CANDIDATE, BASELINE), zip(children, requests, strict=True), strict=True))
    for _ in range(pairs):
        taken = occasions(sides, quantity, OCCASIONS * comparisons)
        for begin in range(0, len(taken), OCCASIONS):
            comparison = compared(taken[begin : begin + OCCASIONS], MARGIN)
            counts[comparison.outcome.value] += 1
            changes.append(comparison.change)
    return counts, changes


def main():
    quantity, pairs, comparisons, *named = sys.argv[1:]
    quantity, pairs, comparisons = Quantity(quantity), int(pairs), int(comparisons)
    plain, slower = CASES[quantity.value]
    module, plugin, case = named or ("spin_plugin", "/Spin/1", plain)
    children = [child_on("cuda" if quantity.needs_gpu else "host", module) for _ in range(2)]
    print(f"{quantity.value} of {plugin} {case}, margin {MARGIN:.0%}, {OCCASIONS} occasions each, {pairs} pairs")
    for title, candidate in {"the same": case, **({} if named else {"planted +5 %": slower})}.items():
        begun = time.perf_counter()
        requests = [Request("", plugin, each, deadline=100.0) for each in (candidate, case)]
        counts, changes = outcomes(quantity, children, requests, pairs, comparisons)
        shown = "  ".join(f"{name} {counts[name]}" for name in ("FASTER", "SAME", "SLOWER", "AMBIGUOUS"))
        middles = sorted(change.middle for change in changes)
        print(
            f"{title:<14}{len(changes):>5} comparisons: {shown}; change {middles[0]:+.2%} to {middles[-1]:+.2%}; "
            f"{time.perf_counter() - begun:.0f} s"
        )
    for child in children:
        child.close()


if __name__ == "__main__":
    main()
