"""Measure the time of one example of a fuzz rule, and compare it with an example that Hypothesis only generates.

    python benchmarks/bench_fuzz.py [EXAMPLES ...]

The rules are about shapes and results, and the plugin is trivial. Hypothesis alone generates the same dimensions for a
test with an empty body. One run measures them in turns, and takes the best of several rounds. The rules run in a child
first, and then in this process, which imports the plugin.
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
#: The most that an example of the rule about shapes may cost, as a multiple of an example of Hypothesis alone.
LIMITS = {ProcessIsolation: 4.0, InProcess: 2.0}


def plain(facts: Facts, number: int, seeded: int) -> float:
    """Return the seconds that Hypothesis alone takes to generate an example."""
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
    """Print the time of an example with one kind of isolation, for each number of examples."""
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
            times = ", ".join(f"{name} {seconds * 1e6:.0f} us" for name, seconds in best.items())
            print(f"{kind.__name__:16} {number} examples: {times}")
            print(f"{'':16} {RULES[0]}: {ratio:.2f} times plain (at most {LIMITS[kind]})")


def turn(rules, child, plugin, number, seeded):
    """Yield a name and the seconds of an example: for Hypothesis alone (``plain``), and for each rule."""
    case = plugin["cases"][0]
    yield "plain", plain(Facts.from_plain(case["facts"]), number, seeded)
    for rule in RULES:
        request = Request(rule, plugin["key"], case["name"], seed=seeded)
        begun = time.perf_counter()
        result = search(rules[rule], request, case["facts"], child.ask, Fuzzing(Budget(examples=number)))
        seconds = time.perf_counter() - begun
        assert result.answer.evidence >= number, result
        yield rule, seconds / number


if __name__ == "__main__":
    numbers_of_examples = [int(word) for word in sys.argv[1:]] or [50, 500]
    measured(ProcessIsolation, numbers_of_examples)
    measured(InProcess, numbers_of_examples)
