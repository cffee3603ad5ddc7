"""What a report says of one cause: named parts of plain text, in the order in which they are read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.reports import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.reports.causes import Cause

__all__ = ["lines_of", "story_of"]

_FIELDS = ("what", "where", "expected", "observed", "fix")


def lines_of(cause: Cause) -> list[str]:
    """Return what happened, in one line, and then the whole story, without saying that line twice."""
    parts = list(story_of(cause))
    if ("what", cause.summary) in parts:
        parts.remove(("what", cause.summary))
    return [cause.summary, *(f"{name}: {told}" for name, told in parts)]


def story_of(cause: Cause) -> Iterator[tuple[str, str]]:
    """Yield name and text of everything that a reader needs: the terminal's words, in the terminal's order."""
    result = cause.result
    if result["reason"]:
        yield "because", result["reason"]
    for violation in result["violations"]:
        yield from ((name, violation[name]) for name in _FIELDS)
    unseen = result["broken"] - len(result["violations"])
    if result["violations"] and unseen > 0:
        yield "and", f"{unseen:,} more like these"
    yield from _examples(result)
    for violation in result["violations"][:1]:
        yield "source", violation["source"].replace("TensorRT ; ", "")
    if result["fingerprint"]:
        yield "fingerprint", result["fingerprint"]
    mishap = result["mishap"]
    if mishap:
        yield "callback", f"{mishap['callback']} {mishap['how']}"
        if mishap["stack"]:
            yield "stack", mishap["stack"]
        if mishap["calls"]:
            yield "calls", "\n".join(mishap["calls"])


def _examples(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for number, example in enumerate(result.get("examples", ())):
        yield ("then" if number else "example"), _shown(example)
    if result.get("replay"):
        yield "replay", result["replay"]


def _shown(example: Any) -> str:
    try:
        return text.shown(example)
    except (KeyError, TypeError):  # what only looks like a program is shown as it is
        return json.dumps(example)
