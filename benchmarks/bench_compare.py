"""How often a comparison with a stored run is right: many runs, each compared with each other one.

    python benchmarks/bench_compare.py host 20
    python benchmarks/bench_compare.py cuda 12

so many runs of each case, each in new processes, one after the other. What was not changed must not be SLOWER; what
spins longer in one of the two must be.
"""

from __future__ import annotations

import collections
import itertools
import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from harness.controller.latency.stored_reading import Reading  # noqa: E402 - as above
from harness.controller.latency.stored_shift import MARGIN, allowance, since  # noqa: E402 - as above

from harness.controller.children.isolation import ProcessIsolation  # noqa: E402 - found by the line above
from harness.controller.latency.measure import ONE_SHOTS  # noqa: E402 - as above
from harness.protocol.latency_quantity import Group, Quantity  # noqa: E402 - as above
from harness.protocol.latency_samples import Sampled  # noqa: E402 - as above
from harness.protocol.messages import ChildSettings, Request  # noqa: E402 - found by the line above

SPIN = ("spin_plugin", "/Spin/1")
BAR = ("plugin_examples.bar", "/Bar/1", "rows")
PAD = ("plugin_examples.circ_pad", "/CircPad/1", "both-sides")
#: What is compared with itself, and with what takes longer.
CASES = {
    "host": {(*SPIN, "host-about-20us"): (*SPIN, "host-about-30us"), BAR: None, PAD: None},
    "cuda": {(*SPIN, "device-20us"): (*SPIN, "device-24us"), BAR: None, PAD: None},
}
ONCE = (Group.FIRST_CALL, Group.AFTER_DESERIALIZE)


def run(device, module, plugin, case):
    """Return the readings of one run of a case, by quantity."""
    child = ProcessIsolation(ChildSettings(module, path=(str(HERE), str(HERE.parent)), device=device))
    assert child.load().ok
    found = Sampled()
    for group in (Group.STEADY, *(ONCE if device == "host" and module != SPIN[0] else ())):
        for _ in range(1 if group is Group.STEADY else ONE_SHOTS[device]):
            answer = child.ask(Request("BENCHMARK", plugin, case, examples=[group.value], deadline=60.0))
            assert answer.kind.value == "judged", answer.reason
            found.add(json.loads(answer.reason))
    child.close()
    return {quantity: Reading.of(quantity, found) for quantity in map(Quantity, found.series)}


def tell(title, quantity, pairs):
    """Print what is said of readings beside each other: of this run, and of the stored one."""
    said = [since(now[quantity], then[quantity], MARGIN, allowance(quantity)) for now, then in pairs]
    found = collections.Counter(each.outcome.value for each in said)
    counts = "".join(f"{found[name]:>8}" for name in ("FASTER", "SAME", "SLOWER", "AMBIGUOUS"))
    middles = sorted(each.change.middle for each in said)
    print(f"{title:<44}{quantity.value:<20}{len(said):>5}{counts}  {middles[0]:+.1%} to {middles[-1]:+.1%}", flush=True)


def main():
    device, runs = sys.argv[1], int(sys.argv[2])
    cases = CASES[device]
    begun = time.perf_counter()
    taken = collections.defaultdict(list)
    for _ in range(runs):
        for case in filter(None, (*cases, *cases.values())):
            taken[case].append(run(device, *case))
    print(f"{runs} runs on {device}, margin {MARGIN:.0%}; {time.perf_counter() - begun:.0f} s")
    for case, slower in cases.items():
        for quantity in taken[case][0]:
            tell(f"{case[1]} {case[2]}, itself", quantity, itertools.permutations(taken[case], 2))
        for quantity in taken[slower][0] if slower else ():
            tell(f"{case[1]} {slower[2]}", quantity, itertools.product(taken[slower], taken[case]))


if __name__ == "__main__":
    main()
