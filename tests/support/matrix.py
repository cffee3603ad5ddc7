"""The kill matrix: what every witness, near miss and example showed, as tests/data/kill_matrix.json keeps it.

Theory. Judging all of them takes minutes, and the tests do it anyway. So the matrix is written by
tools/kill_matrix.py, each test compares its own plugin with the entry, and the pages are made from the file.
"""

from __future__ import annotations

import json
import pathlib

from harness.contract import catalogue
from harness.contract.rule import APPLICATIONS
from harness.contract.verdict import Verdict
from harness.controller.children import device_routing
from tests.support import witnesses
from tests.support.verdicts import BROKEN, results_of

FILE = pathlib.Path(__file__).parents[1] / "data" / "kill_matrix.json"
REFRESH = "python tools/kill_matrix.py"
KINDS = ("witnesses", "near_misses", "examples", "applications")


def modules():
    """Return all modules that are judged: ``{dotted name: kind}``."""
    return {
        **dict.fromkeys(witnesses.witnesses(), "witnesses"),
        **dict.fromkeys(witnesses.near_misses(), "near_misses"),
        **dict.fromkeys(witnesses.examples(), "examples"),
        **dict.fromkeys(witnesses.applications(), "applications"),
    }


def entry_of(module, kind, results):
    """Return the entry of one module from its results."""
    shows = _shows(results)
    if kind == "witnesses":
        witness = witnesses.witnesses()[module]
        return {"breaks": witness.breaks, "also": witness.also, "shows": shows}
    if kind == "near_misses":
        return {"looks_like": witnesses.near_misses()[module], "shows": shows}
    return {"shows": shows, "exercised": exercised(results)}


def measured(module, kind, rules=None):
    """Judge a module by all rules or some, on a GPU if only that shows its fault, and return its entry."""
    device = device_routing.CUDA if needs_gpu(module) else device_routing.HOST
    return entry_of(module, kind, results_of(module, rules=rules, device=device))


def renewed(kept, fresh, rule):
    """Return an entry in which what one rule shows is fresh, and the rest as it was kept."""
    others = {each: verdict for each, verdict in kept.get("shows", {}).items() if each != rule}
    entry = {**fresh, "shows": dict(sorted({**others, **fresh["shows"]}.items()))}
    if "exercised" in fresh:
        entry["exercised"] = sorted({*kept.get("exercised", ())} - {rule} | {*fresh["exercised"]})
    return entry


def that_matter(rule):
    """Return the modules that tell whether a rule is right: its witnesses and near misses, and what is sound.

    What is sound are the applications where the rule is about applications, and the examples where it is not.
    """
    sound = "applications" if catalogue.load()[rule].interfaces == APPLICATIONS else "examples"
    named = {module for module, witness in witnesses.witnesses().items() if rule in {witness.breaks, *witness.also}}
    named |= {module for module, resembled in witnesses.near_misses().items() if resembled == rule}
    return {module for module, kind in modules().items() if module in named or kind == sound}


def needs_gpu(module):
    """Whether a module is a witness of what only a GPU shows."""
    witness = witnesses.witnesses().get(module)
    return witness is not None and witness.on_gpu


def short(module):
    """Return the name that the file and the pages use."""
    return module.rpartition(".")[2]


def load():
    """Return the file."""
    return json.loads(FILE.read_text())


def exercised(results):
    """Return the rules that were judged at all; how many questions they judged is theirs to change."""
    return sorted({result.rule for result in _each(results) if result.evidence})


def _shows(results):
    worst = {}
    for result in _each(results):
        if result.verdict in BROKEN and worst.get(result.rule) != Verdict.FAIL.value:
            worst[result.rule] = result.verdict.value
    return dict(sorted(worst.items()))


def _each(results):
    return [result for group in results.values() for result in group]
