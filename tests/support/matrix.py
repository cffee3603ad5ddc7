"""The kill matrix: what every witness, near miss and example showed, as tests/data/kill_matrix.json keeps it.

Theory. Judging all of them takes minutes, and the tests do it anyway. So the matrix is written by
tools/kill_matrix.py, each test compares its own plugin with the entry, and the pages are made from the file.
"""

from __future__ import annotations

import json
import pathlib

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


def measured(module, kind):
    """Judge a module, on a GPU if only that shows its fault, and return its entry."""
    return entry_of(
        module, kind, results_of(module, device=device_routing.CUDA if needs_gpu(module) else device_routing.HOST)
    )


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
