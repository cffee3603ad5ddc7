"""How often the gate is right: comparisons of a version with itself, and with one that takes 5 % longer.

    python benchmarks/bench_gate.py device_hot 20 10
    python benchmarks/bench_gate.py host_enqueue 20 10

so many pairs of fresh processes, and so many comparisons in each. The kernel, or the loop on the host, spins 5 us.
"""

from __future__ import annotations

import collections
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from harness.exchange import ChildSettings, Request  # noqa: E402 - found by the line above
from harness.isolation import ProcessIsolation  # noqa: E402 - as above
from harness.latency.comparing import compared  # noqa: E402 - as above
from harness.latency.duel import BASELINE, CANDIDATE, duel  # noqa: E402 - as above
from harness.latency.gate import FIRST_ROUNDS  # noqa: E402 - as above
from harness.latency.quantity import Quantity  # noqa: E402 - as above

MARGIN = 0.03
CASES = {
    "device_hot": ("device-20us", "device-20us-slower"),
    "host_enqueue": ("host-20us-1-in-1-out", "host-20us-slower"),
}


def child_on(device):
    child = ProcessIsolation(ChildSettings("spin_plugin", path=(str(HERE), str(HERE.parent)), device=device))
    assert child.load().ok
    return child


def request(case):
    return Request("BENCHMARK", "/Spin/1", case, deadline=60.0)


def outcomes(quantity, children, case, pairs, comparisons):
    """Return how often each outcome was had, and the changes found."""
    plain, _ = CASES[quantity.value]
    found, changes = collections.Counter(), []
    for _ in range(pairs):
        sides = {CANDIDATE: (children[0], request(case)), BASELINE: (children[1], request(plain))}
        with duel(sides, quantity) as both:
            for _ in range(comparisons):
                comparison = compared(both.rounds(FIRST_ROUNDS), MARGIN)
                found[comparison.outcome.value] += 1
                changes.append(comparison.change)
    return found, changes


def main():
    quantity, pairs, comparisons = Quantity(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    children = [child_on("cuda" if quantity.needs_gpu else "host") for _ in range(2)]
    print(f"{quantity.value}, margin {MARGIN:.0%}, {FIRST_ROUNDS} rounds a comparison, {pairs} pairs of processes")
    for title, case in zip(("the same", "planted +5 %"), CASES[quantity.value], strict=True):
        begun = time.perf_counter()
        found, changes = outcomes(quantity, children, case, pairs, comparisons)
        counts = "  ".join(f"{name} {found[name]}" for name in ("FASTER", "SAME", "SLOWER", "AMBIGUOUS"))
        middles = sorted(change.middle for change in changes)
        print(
            f"{title:<14}{len(changes):>5} comparisons: {counts}; change {middles[0]:+.2%} to {middles[-1]:+.2%}; "
            f"{time.perf_counter() - begun:.0f} s"
        )
    for child in children:
        child.close()


if __name__ == "__main__":
    main()
