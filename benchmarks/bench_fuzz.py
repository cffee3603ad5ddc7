"""What a fuzz rule costs for each example, compared with drawing the same dimensions with Hypothesis and doing nothing.

    python benchmarks/bench_fuzz.py [EXAMPLES]

Prints the time of an example of a plain ``st.tuples(st.integers(...))`` with an empty body, and of the rules about
shapes and results on a trivial plugin, isolated and in this process, as ratios; all in one run, in turns, each the best
of several rounds. In this process comes last: the plugin is imported there.
"""

from __future__ import annotations

import contextlib
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from hypothesis import HealthCheck, Phase, given, seed, settings, strategies

from harness.cases.facts import Facts
from harness.contract import catalogue
from harness.controller.children.in_process import InProcess
from harness.controller.children.isolation import ProcessIsolation
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.search import Fuzzing, search
from harness.protocol.messages import ChildSettings, Request

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODULE = str(ROOT / "benchmarks" / "trivial_plugin.py")
ROUNDS = 7
RULES = ("FUZ-001", "FUZ-003")
#: At most so many plain draws for an example of the rule about shapes.
LIMITS = {ProcessIsolation: 4.0, InProcess: 2.0}


def plain(facts: Facts, number: int, seeded: int) -> float:
    """Return the seconds that an example takes to draw."""
    counted = []

    @seed(seeded)
    @settings(
        max_examples=number,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategies.tuples(*(strategies.integers(each.low, each.high) for each in facts.extents)))
    def empty(dims):
        counted.append(dims)

    begun = time.perf_counter()
    empty()
    return (time.perf_counter() - begun) / len(counted)


def measured(kind: type[ProcessIsolation | InProcess], numbers: list[int]) -> None:
    """Print what an example costs with one isolation."""
    rules = catalogue.load_rules()
    with contextlib.closing(kind(ChildSettings(MODULE, path=(str(ROOT),)))) as child:
        assert child.load().ok
        plugin = child.discover()["plugins"][0]
        for number in numbers:
            best = dict.fromkeys(("plain", *RULES), 1.0)
            for each in range(ROUNDS):
                for name, seconds in turn(rules, child, plugin, number, each):
                    best[name] = min(best[name], seconds)
            ratio = best[RULES[0]] / best["plain"]
            told = ", ".join(f"{name} {seconds * 1e6:.0f} us" for name, seconds in best.items())
            print(f"{kind.__name__:16} {number} examples: {told}")
            print(f"{'':16} {RULES[0]}: {ratio:.2f} plain draws (at most {LIMITS[kind]})")


def turn(rules, child, plugin, number, seeded):
    """Yield the seconds that an example takes, plain and with each rule."""
    case = plugin["cases"][0]
    yield "plain", plain(Facts.from_plain(case["facts"]), number, seeded)
    for rule in RULES:
        request = Request(rule, plugin["key"], case["name"], seed=seeded)
        begun = time.perf_counter()
        found = search(rules[rule], request, case["facts"], child.ask, Fuzzing(Budget(examples=number)))
        seconds = time.perf_counter() - begun
        assert found.answer.evidence >= number, found
        yield rule, seconds / number


if __name__ == "__main__":
    wanted = [int(word) for word in sys.argv[1:]] or [50, 500]
    measured(ProcessIsolation, wanted)
    measured(InProcess, wanted)
