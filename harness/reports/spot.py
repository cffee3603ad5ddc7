"""Find the line of the user's code that a defect is about, with the lines around it, for every report."""

from __future__ import annotations

import dataclasses
import linecache
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.reports.checkout import from_root
from harness.results.report import SourceSpot

if TYPE_CHECKING:
    from harness.results.defects import Defect
    from harness.results.report import Document

#: A frame of a stack, as ``traceback`` or ``faulthandler`` writes it, or a frame of C++ with its line.
_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)(?:,? in (\S+))?|^ .* at (/[^\n]+):(\d+) in /', re.MULTILINE)
#: A place in the user's code, as texts of violations name it.
_PLACE = re.compile(r"\(([^\s():/]+\.py):(\d+)\)")
#: A text in the heading of ``faulthandler``'s stacks, which have the innermost frame first.
_INNERMOST_FIRST = "(most recent call first)"
#: The number of lines that are shown before the line, and after it.
_AROUND = 1


@dataclasses.dataclass(frozen=True)
class Spot:
    """A line of a file; 0 if the line is not known. ``function`` is the function or class, or empty."""

    file: str
    line: int
    function: str = dataclasses.field(default="", compare=False)


def spot_of(document: Document, defect: Defect) -> Spot | None:
    """Return the line of the method, plugin or module that a defect is about; None if no file is known."""
    return _spot(document, defect.smallest.subject, defect.entry)


def spot_of_violation(document: Document, defect: Defect, violation: Mapping[str, str]) -> Spot | None:
    """Return the line of one violation of a defect; the stack is not used, because it belongs to another violation."""
    alone = {**defect.entry, "violations": [violation], "mishap": None, "stack": ""}
    return _spot(document, defect.smallest.subject, alone)


def add_spots(document: Document) -> None:
    """Add to each result with violations its line, with the code around it."""
    results = [(module, module) for module in document["modules"]]
    results += [(plugin, rule) for plugin in document["plugins"] for rule in plugin["rules"]]
    for subject, entry in results:
        spot = _spot(document, subject, entry) if entry["violations"] else None
        if spot is not None:
            entry["spot"] = _with_code(spot).to_plain()


def place_of(spot: Mapping[str, Any], folder: str) -> str:
    """Return the file of a spot relative to a folder, its line and its function, as one line of text."""
    file = from_root(spot["file"], folder) or spot["file"]
    where = f"{file}:{spot['line']}" if spot["line"] else file
    return f"{where}, in {spot['function']}" if spot.get("function") else str(where)


def code_of(spot: Mapping[str, Any]) -> str:
    """Return the line of a spot and the lines around it, with a mark at the line.

    Return an empty text if they are unknown.
    """
    numbered = enumerate(spot["code"], spot["first"])
    return "\n".join(f"{'>' if number == spot['line'] else ' '} {number:>4}  {text}" for number, text in numbered)


def _with_code(spot: Spot) -> SourceSpot:
    first = max(spot.line - _AROUND, 1)
    exists = spot.line and linecache.getline(spot.file, spot.line)
    numbers = range(first, spot.line + _AROUND + 1) if exists else range(0)
    lines = [line.rstrip() for number in numbers if (line := linecache.getline(spot.file, number))]
    return SourceSpot(spot.file, spot.line, first if lines else 0, tuple(lines), spot.function)


def _spot(document: Document, subject: Mapping[str, Any], entry: Mapping[str, Any]) -> Spot | None:
    loaded = [source["files"] for source in document.get("sources", ()) if source["module"] == subject["module"]]
    files = {file for each in loaded for file in each}
    if "case" in subject:
        return _on_case(subject, entry, document["rules"][entry["id"]]["owns"], document["root"], files)
    file = subject["file"]
    return _last_own_frame(entry, files | {file}) or (Spot(file, 0) if file else None)


def _on_case(
    plugin: Mapping[str, Any], result: Mapping[str, Any], owned: Sequence[str], root: str, loaded: Collection[str]
) -> Spot | None:
    """Return the line where a stack ends, or that of the named method, or that of the plugin's creator.

    Methods that the plugin inherits from outside of the repository are left out: its author did not write them. They
    stay for a compiled library without a line, whose sources may all be elsewhere.
    """
    methods = plugin["methods"]
    if from_root(plugin["file"], root):
        inside = {name: place for name, place in methods.items() if from_root(place["file"], root)}
        methods = inside if inside or plugin["line"] else methods
    files = {place["file"] for place in methods.values()} | {plugin["file"], *loaded}
    ended = _last_own_frame(result, files - {""}) or _place_in_text(result, files - {""})
    if ended is not None:
        return ended
    for name in _named(result, methods, owned):
        return _on_method(name, methods[name])
    if plugin["file"]:
        return Spot(plugin["file"], plugin["line"], plugin["creator"])
    return next((Spot(place["file"], place["line"], name) for name, place in methods.items()), None)


def _named(result: Mapping[str, Any], methods: Mapping[str, Any], owned: Sequence[str]) -> Iterator[str]:
    """Yield the methods that a result is about: the failed callback, those in its texts, those that its rule owns."""
    failure = _first_failure(result)
    if failure.get("callback") in methods:
        yield failure["callback"]
    for violation in result["violations"][:1]:
        for part in ("what", "fix", "where"):
            yield from (word for word in re.findall(r"\w+", violation[part]) if word in methods)
    yield from (name for name in owned if name in methods)


def _first_failure(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the callback that failed; empty if the first violation is about something else."""
    failure = result["mishap"] or {}
    first, *more = [violation["what"] for violation in result["violations"]] or [""]
    return {} if more and not first.startswith(str(failure.get("callback"))) else failure


def _on_method(name: str, place: Mapping[str, Any]) -> Spot:
    """Return the line of a method; for an attribute, the line of its assignment with the function around it."""
    file, line = place["file"], place["line"]
    is_attribute = f".{name}" in linecache.getline(file, line)
    return Spot(file, line, _function_at(file, line) if is_attribute else name)


def _place_in_text(result: Mapping[str, Any], files: Collection[str]) -> Spot | None:
    """Return the line in ``observed`` of the first violation, such as ``(plugin.py:12)``; None if no file has it."""
    for violation in result["violations"][:1]:
        for name, line in _PLACE.findall(violation["observed"]):
            matching = [file for file in files if Path(file).name == name]
            if len(matching) == 1:
                return Spot(matching[0], int(line), _function_at(matching[0], int(line)))
    return None


def _function_at(file: str, line: int) -> str:
    """Return the name of the function that contains a line: the nearest ``def`` above it that is indented less."""
    lines = linecache.getlines(file)[:line]
    inside = len(lines[-1]) - len(lines[-1].lstrip()) if lines else 0
    for text in reversed(lines):
        definition = re.match(r"( *)(?:async )?def (\w+)", text)
        if definition and len(definition[1]) < inside:
            return definition[2]
    return ""


def _last_own_frame(result: Mapping[str, Any], files: set[str]) -> Spot | None:
    """Return the innermost frame of a failed callback's stack that is in one of the files."""
    stack = _first_failure(result).get("stack") or result.get("stack") or ""
    frames = [
        Spot(file or of_cpp, int(line or line_of_cpp), "" if function == "<module>" else function)
        for file, line, function, of_cpp, line_of_cpp in _FRAME.findall(stack)
        if (file or of_cpp) in files
    ]
    if not frames:
        return None
    return frames[0] if _INNERMOST_FIRST in stack else frames[-1]
