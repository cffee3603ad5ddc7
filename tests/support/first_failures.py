"""What is shown first of each witness: tests/data/first_failures.json keeps it, the site sums it up.

Theory. A run of all rules on all witnesses takes hours. The kill matrix knows which rules show something on each, so
only those are judged, in one fork, and what would be shown first of them is rendered from the report. There a rule may
meet what another one left behind: where the result is not as it should be, it is judged again as users judge.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import pathlib

from msgspec import structs

from harness.config.options import IsolationChoice
from harness.frontends.api.certify import Certification
from harness.frontends.api.keywords import options_of
from harness.reports.story import in_short, story_of
from harness.results.defects import causes_of, defects_of
from tests.support import matrix, witnesses
from tests.support.forked_processes import PROCESSES

FILE = pathlib.Path(__file__).parents[1] / "data" / "first_failures.json"
REFRESH = "python tools/first_failures.py"
#: The most lines of a failure.
MOST_LINES = 9


def modules():
    """Return the dotted names of the witnesses that a machine without a GPU can judge."""
    return sorted(module for module, witness in witnesses.witnesses().items() if not witness.on_gpu)


def measured(module):
    """Judge a witness by the rules that show something on it, and return what is shown first."""
    entry = PROCESSES.call(judged, module, "none")
    return entry if entry and is_named(entry) and is_short(entry) else judged(module, "process")


def judged(module, isolation):
    """Return the entry of a witness that is judged in this process, or in a process of its own for each rule."""
    shows = matrix.load()["witnesses"][matrix.short(module)]["shows"]
    rules = sorted({witnesses.witnesses()[module].breaks, *shows})
    document = _document(module, rules, IsolationChoice(isolation))
    causes = causes_of([each for each in defects_of(document) if not each.expected])
    if not causes:
        return {"breaks": witnesses.witnesses()[module].breaks, "first": "", "also": [], "at": "", "lines": 0}
    first, also = causes[0]
    spot = first.entry.get("spot") or {}
    parts = in_short(story_of(document, first))
    return {
        "breaks": witnesses.witnesses()[module].breaks,
        "first": first.rule,
        "also": sorted({each.rule for each in also}),
        "at": _at(module, spot),
        "lines": 1 + len(parts) + bool(also),
    }


def is_named(entry):
    """Whether the rule of the witness is shown first."""
    return entry["first"] == entry["breaks"]


def has_a_line(name, entry):
    """Whether what is shown first names a line of the witness, in Python or C++."""
    file, _, line = entry["at"].rpartition(":")
    return pathlib.Path(file).stem == name and line.isdecimal() and int(line) > 0


def is_short(entry):
    """Whether what is shown first has few lines."""
    return 0 < entry["lines"] <= MOST_LINES


def load():
    """Return the file."""
    return json.loads(FILE.read_text())


def _document(module, rules, isolation):
    options = structs.replace(options_of(module, (), {"select": ",".join(rules)}), isolation=isolation)
    with contextlib.closing(Certification(options)) as certification:
        certification.will_run(certification.places)
        for place in certification.places:
            certification.result(place)
        return certification.report().document


def _at(module, spot):
    file = pathlib.Path(spot.get("file") or "")
    home = pathlib.Path(importlib.util.find_spec(module).origin).parent
    return f"{file.relative_to(home) if file.is_relative_to(home) else file.name}:{spot.get('line', 0)}"
