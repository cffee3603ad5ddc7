"""The line of a file that a defect is about, which reports point at."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.reports.checkout import from_root

if TYPE_CHECKING:
    from harness.results.defects import Defect
    from harness.results.report import Document

#: A frame of a stack, as ``traceback`` or ``faulthandler`` writes it.
_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)', re.MULTILINE)
#: What ``faulthandler`` begins with; its stacks have the innermost frame first.
_INNERMOST_FIRST = "(most recent call first)"


@dataclasses.dataclass(frozen=True)
class Spot:
    """A line of a file; 0 where the line is not known."""

    file: str
    line: int


def spot_of(document: Document, defect: Defect) -> Spot | None:
    """Return the line to look at, of the method that is meant, of the plugin or of the module; None without a file."""
    entry, subject = defect.entry, defect.smallest.subject
    if defect.cases:
        return _on_case(subject, entry, document["rules"][defect.rule]["owns"], document["root"])
    return _last_own_frame(entry, {subject["file"]}) or (Spot(subject["file"], 0) if subject["file"] else None)


def _on_case(plugin: Mapping[str, Any], result: Mapping[str, Any], owned: Sequence[str], root: str) -> Spot | None:
    """Return the line where a stack ends, else the method that is named, else the plugin's creator.

    A method that the plugin inherits from outside of the repository is not what its author has to look at.
    """
    methods = plugin["methods"]
    if from_root(plugin["file"], root):
        methods = {name: place for name, place in methods.items() if from_root(place["file"], root)}
    files = {place["file"] for place in methods.values()} | {plugin["file"]}
    ended = _last_own_frame(result, files - {""})
    if ended is not None:
        return ended
    for name in _named(result, methods, owned):
        return Spot(methods[name]["file"], methods[name]["line"])
    if plugin["file"]:
        return Spot(plugin["file"], plugin["line"])
    return next((Spot(place["file"], place["line"]) for place in methods.values()), None)


def _named(result: Mapping[str, Any], methods: Mapping[str, Any], owned: Sequence[str]) -> Iterator[str]:
    """Yield the methods that a result is about, the surest first."""
    mishap = result["mishap"]
    if mishap and mishap["callback"] in methods:
        yield mishap["callback"]
    for violation in result["violations"][:1]:
        for part in ("what", "where"):
            yield from (word for word in re.findall(r"\w+", violation[part]) if word in methods)
    yield from (name for name in owned if name in methods)


def _last_own_frame(result: Mapping[str, Any], files: set[str]) -> Spot | None:
    """Return the innermost frame of a mishap's stack that is in one of the files."""
    stack = result["mishap"]["stack"] if result["mishap"] else ""
    frames = [Spot(file, int(line)) for file, line in _FRAME.findall(stack) if file in files]
    if not frames:
        return None
    return frames[0] if _INNERMOST_FIRST in stack else frames[-1]
