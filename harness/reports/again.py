"""Write the command that judges one item again, for the terminal and for every report."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from harness.config import command_line
from harness.config.options import IN_MEMORY
from harness.contract.thoroughness import Thoroughness

if TYPE_CHECKING:
    from harness.results.report import Document

#: The part of a rule's examples that the id of an item names; the rule as a whole judges all of them.
_PART = re.compile(r"\[\d+/\d+\]$")


def again(options: Mapping[str, Any], nodeid: str, given: str = "") -> str:
    """Return the command that judges a node id again; empty if there is none.

    It is entered in the folder where the run was started.

    Args:
        options: The options of the run, as its JSON report has them.
        nodeid: The item.
        given: Its module or application as the user named it; empty if that is not known.
    """
    if IN_MEMORY in options["cases"]:
        return ""
    is_usual = tuple(options["seeds"]) == Thoroughness(str(options["level"])).seeds
    changed = command_line.changed({**options, "seed": None if is_usual else options["seed"]})
    further = (f"{option.flag}={text}" for option, text in changed)
    return shlex.join(["pytest", *_subjects(options, nodeid, given), *further, _PART.sub("", nodeid)])


def given_of(document: Document, nodeid: str) -> str:
    """Return how the user named the module or application of an item; empty if the document does not say."""
    case = nodeid.rpartition("::")[0]
    modules = {entry["module"] for entry in document["plugins"] if entry["id"] == case}
    found = [source["given"] for source in document.get("sources", ()) if source["module"] in modules]
    return str(found[0]) if len(found) == 1 else ""


def _subjects(options: Mapping[str, Any], nodeid: str, given: str) -> Iterator[str]:
    """Yield the options that name what to certify.

    If a node id names its module, all modules stay: two have a plugin of that key.
    """
    label = nodeid.partition("::")[2].partition("::")[0]
    for option, values in (
        ("module", options["modules"]),
        ("library", options.get("libraries", ())),
        ("app", options["apps"]),
    ):
        for value in values:
            if "+" in label or given in {"", value}:
                yield f"--plugin-{option}={value}"
