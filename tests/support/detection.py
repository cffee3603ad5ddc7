"""Detection power: with how many seeds a fuzz rule finds its witness, and how soon: tests/data/detection.json.

tools/detection_power.py measures it in minutes. The site has a page made from the file.
"""

from __future__ import annotations

import collections
import json
import pathlib
import statistics
from typing import TYPE_CHECKING, Any

from tests.support import witnesses
from tests.support.fuzzed import fuzz_rules, opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.fuzzed import Opened

FILE = pathlib.Path(__file__).parents[1] / "data" / "detection.json"
REFRESH = "python tools/detection_power.py"
#: Of a hundred seeds, so many must find a witness, or the witness says in ``SELDOM`` why they do not.
ENOUGH = 95
#: Seeds that are enough where an example is a whole program, or threads that take turns; 100 elsewhere.
SEEDS = {"FUZ-009": 40, "FUZ-010": 40}
#: With so many of the seeds what is found is shrunk, too, which takes longer than to find it.
SHRINKING = 10


def modules():
    """Return the witnesses of fuzz rules: ``{dotted name: rule}``."""
    rules = set(fuzz_rules())
    return {module: witness.breaks for module, witness in witnesses.witnesses().items() if witness.breaks in rules}


def measured(module: str, seeds: Sequence[int]) -> dict[str, Any]:
    """Search a witness with each seed, and return its entry."""
    rule = modules()[module]
    with opened(module) as child:
        return entry_of(rule, {seed: _first(child, seed, rule, shrinks=seed < SHRINKING) for seed in seeds})


def _first(child: Opened, seed: int, rule: str, *, shrinks: bool) -> tuple[int, tuple[Any, ...]]:
    """Return how many examples it took to find the defect, and one that shows it; empty: it was not found."""
    judged = 0
    for each in child.searches(seed, [rule], shrinks=shrinks):
        judged += each.found.judged
        if each.found.answer.fails:
            return judged, each.found.examples
    return judged, ()


def entry_of(rule: str, by_seed: dict[int, tuple[int, tuple[Any, ...]]]) -> dict[str, Any]:
    """Return the entry of a witness, from what each seed gave."""
    firsts = sorted(judged for judged, found in by_seed.values() if found)
    entry = {
        "rule": rule,
        "seeds": len(by_seed),
        "found": len(firsts),
        "missed": [seed for seed, (_, found) in by_seed.items() if not found],
    }
    if not firsts:
        return entry
    return {
        **entry,
        "mean": round(statistics.fmean(firsts), 1),
        "quantiles": {str(percent): firsts[(len(firsts) - 1) * percent // 100] for percent in (5, 50, 95)},
        "shrunk": _shrunk([found for seed, (_, found) in by_seed.items() if found and seed < SHRINKING]),
    }


def _shrunk(found: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Return which example comes out most often, and how large it is."""
    if not found:
        return {}
    times = collections.Counter(json.dumps(examples) for examples in found)
    text, most = min(times.items(), key=lambda each: (-each[1], len(each[0]), each[0]))
    examples = json.loads(text)
    return {
        "example": " then ".join(map(json.dumps, examples)),
        "times": most,
        "of": len(found),
        "others": len(times) - 1,
        "numbers": sum(map(numbers_in, examples)),
        "steps": sum(map(steps_in, examples)),
    }


def numbers_in(example: Any) -> int:
    """Return how many numbers an example holds."""
    if isinstance(example, (dict, list)):
        return sum(map(numbers_in, example.values() if isinstance(example, dict) else example))
    return int(isinstance(example, (int, float)) and not isinstance(example, bool))


def steps_in(example: Any) -> int:
    """Return the length of the longest list of an example that holds more than plain values; shapes are one step."""
    lists = [value for key, value in example.items() if isinstance(value, list) and key != "shapes"]
    return max((len(each) for each in lists if any(isinstance(one, (dict, list)) for one in each)), default=1)


def load() -> dict[str, Any]:
    """Return the file."""
    return json.loads(FILE.read_text())


def short(module: str) -> str:
    """Return the name that the file and the page use."""
    return module.rpartition(".")[2]
