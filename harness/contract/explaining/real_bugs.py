"""Read the list of real bugs of TensorRT plugins, with the users' threads and the witnesses of each."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RealBug:
    """One bug: its number, description and threads, the rules that catch it by witness, or why no rule catches it."""

    number: int
    bug: str
    links: tuple[str, ...]
    caught: dict[str, str]
    uncaught: str


@functools.cache
def real_bugs() -> tuple[RealBug, ...]:
    """Return all bugs, in the order of their numbers."""
    entries = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))["bugs"]
    return tuple(
        RealBug(each["number"], each["bug"], tuple(each["links"]), each.get("caught", {}), each.get("uncaught", ""))
        for each in entries
    )


def caught_by(rule_id: str) -> list[RealBug]:
    """Return the bugs that a rule catches, those with threads first."""
    return sorted((bug for bug in real_bugs() if rule_id in bug.caught.values()), key=lambda bug: not bug.links)
