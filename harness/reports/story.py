"""Describe a defect or one result: named parts of plain text, in reading order.

Every format of a report uses these parts, with its own markup.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.config import command_line
from harness.config.options import IN_MEMORY
from harness.contract.expected_failures import case_entry, file_entry
from harness.contract.thoroughness import Thoroughness
from harness.reports.document import shown
from harness.reports.spot import code_of, place_of, spot_of_violation
from harness.results.report import Shown

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.contract.verdict import Result
    from harness.results.defects import Defect
    from harness.results.report import Document

    Parts = Iterable[tuple[str, str]]

#: The parts of a violation.
ANSWERS = ("what", "where", "expected", "observed", "fix")
#: The part that names the line to look at, and the part with the code around this line.
AT = "at"
CODE = "code"
#: The parts of a failure in short, each of one line, in this order.
SHORT = ("because", "what", AT, "where", "expected", "observed", "fix", "replay")
#: The end of a node id that names a part of a rule's examples. The id without it names all examples.
_PART = re.compile(r"\[\d+/\d+\]$")
#: The beginning of a traceback; of its lines, ``clipped`` shows the last.
_TRACEBACK = "Traceback ("
#: The longest line of a failure in short.
_LONGEST = 400
_INDENT = " " * 12


def story_of(
    document: Document, defect: Defect, *, in_full: bool = False, folder: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield all parts of a defect; with ``in_full`` also the violations that differ only in numbers.

    File names are relative to ``folder``, by default the root of the report.
    """
    violations = defect.entry["violations"] if in_full else defect.violations
    again = replay(document, defect)
    spot = defect.entry.get("spot")
    places = [
        place_of(each, folder or document["root"]) if each else "" for each in _spots(document, defect, violations)
    ]
    code = code_of(spot) if spot else ""
    return _parts(defect.entry, violations, defect.broken, places=places, code=code, source=defect.source, again=again)


def _spots(
    document: Document, defect: Defect, violations: Sequence[Mapping[str, str]]
) -> Iterator[Mapping[str, Any] | None]:
    """Yield the place of each violation: the document has that of the first, and the others are looked up."""
    yield from [defect.entry.get("spot")] * bool(violations)
    for violation in violations[1:]:
        spot = spot_of_violation(document, defect, violation)
        yield vars(spot) if spot else None


def of_result(rule: Rule, result: Result) -> Iterator[tuple[str, str]]:
    """Yield all parts of a result that is not in a document."""
    entry = Shown(**shown(rule, result)).to_plain()
    return _parts(entry, entry["violations"], result.broken, source=str(rule.source), again=result.replay)


def in_short(parts: Parts) -> list[tuple[str, str]]:
    """Return the parts that the plugin's author needs first: the first part of each name in one line."""
    first: dict[str, str] = {}
    for name, text in parts:
        first.setdefault(name, text)
    return [(name, clipped(first[name])) for name in SHORT if name in first]


def clipped(text: str) -> str:
    """Return at most 400 characters of the first line of a text, or of the last line of a traceback."""
    lines = text.strip().splitlines() or [""]
    line = lines[-1] if lines[0].startswith(_TRACEBACK) else lines[0]
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 4]} ..."


def same_as(defect: Defect, first: Defect) -> Iterator[tuple[str, str]]:
    """Yield the parts of a defect with the same cause as ``first``, which is shown in full above it."""
    if defect.entry["reason"]:
        yield "because", defect.entry["reason"]
    yield "same as", f"{first.rule} above: {defect.summary}"
    if defect.entry.get("replay"):
        yield "replay", defect.entry["replay"]
    if defect.entry["fingerprint"]:
        yield "fingerprint", defect.entry["fingerprint"]


def expectation(defect: Defect) -> dict[str, str]:
    """Return the entries that accept a failure, ready to paste, by place; empty without a violation.

    For an application there is no entry in a case: users write no cases for it. Its key, ``module:function``, has no
    slash.
    """
    fingerprint = defect.entry["fingerprint"]
    if not fingerprint or not defect.cases:
        return {}
    key = defect.smallest.subject["key"]
    in_case = {"in a case": case_entry(defect.rule, fingerprint)} if "/" in key else {}
    return {**in_case, "in a file": file_entry(key, defect.cases, defect.rule, fingerprint)}


def replay(document: Document, defect: Defect) -> str:
    """Return the command that judges a defect again: the fuzz rule's replay, or pytest with the item's id.

    It is empty if there is no command.
    """
    if defect.entry.get("replay") or not defect.cases:
        return str(defect.entry.get("replay", ""))
    nodeid = defect.smallest.id
    return again(document["options"], nodeid, given_of(document, nodeid))


def paragraphs(document: Document, defect: Defect) -> list[str]:
    """Return the summary of a defect in one line, and then all its other parts.

    The code is left out, because these texts are shown beside it.
    """
    parts = [part for part in story_of(document, defect) if part[0] != CODE]
    if ("what", defect.summary) in parts:
        parts.remove(("what", defect.summary))
    return [defect.summary, *(f"{name}: {text}" for name, text in parts)]


def fields(parts: Parts) -> Iterator[str]:
    """Yield the lines of a table for a terminal; further lines of a text are indented like the first."""
    for name, text in parts:
        first, *others = text.splitlines() or [""]
        yield f"  {name:<9} {first}"
        yield from ((_INDENT + line).rstrip() for line in others)


def _parts(
    entry: Mapping[str, Any],
    violations: Sequence[Mapping[str, str]],
    broken: int,
    *,
    places: Sequence[str] = (),
    code: str = "",
    source: str,
    again: str,
) -> Iterator[tuple[str, str]]:
    if entry["reason"]:
        yield "because", entry["reason"]
    yield from _of_violations(violations, entry["violations"], broken, places or [""] * len(violations))
    if code:
        yield CODE, code
    for number, example in enumerate(entry.get("examples", ())):
        yield ("then" if number else "example"), _shown(example)
    if entry.get("examples") and entry.get("drawn"):
        drawn = entry["drawn"]
        yield "drawn", f"with seed {drawn['seed']}; example {drawn['judged']:,} was the first to fail"
    if again:
        yield "replay", again
    yield "source", source.replace("TensorRT ; ", "")
    if entry["fingerprint"]:
        yield "fingerprint", entry["fingerprint"]
    if entry["mishap"]:
        yield from _of_failure(entry["mishap"])
    elif entry.get("stack"):
        yield "stack", entry["stack"]


def _of_violations(
    violations: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]], broken: int, places: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield the parts of the shown violations with their places, then the number of violations that are not shown."""
    for violation, at in zip(violations, places, strict=True):
        first, *others = ((name, violation[name]) for name in ANSWERS)
        yield first
        if at:
            yield AT, at
        yield from others
    more = broken - len(violations)
    if more > 0 and violations:
        words = {_words(each["where"]): each["where"] for each in reversed(known)}
        shown_words = {_words(each["where"]) for each in violations}
        unseen = [where for each, where in reversed(words.items()) if each not in shown_words]
        places_left = f"; where: {' | '.join(unseen)}" if unseen else ""
        yield "and", f"{more:,} more like {'it' if len(violations) == 1 else 'these'}{places_left}"


def _words(where: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W\d]\w*", where))


def _of_failure(failure: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "callback", f"{failure['callback']} {failure['how']}"
    if failure["stack"]:
        yield "stack", failure["stack"]
    if failure["calls"]:
        yield "calls", "\n".join(["the last calls before it, oldest first:", *failure["calls"]])


def _shown(example: Any) -> str:
    """Return an example as JSON; a program as a line of shapes and schedule, and a line of steps."""
    try:
        steps = "; ".join(" ".join(map(str, step)) for step in example["program"])
        return f"shapes {json.dumps(example['shapes'])}, schedule {example['schedule']}\n{steps}"
    except (KeyError, TypeError, IndexError):  # it is no program
        return json.dumps(example)


def again(options: Mapping[str, Any], nodeid: str, module: str = "") -> str:
    """Return the command that judges an item again; empty if cases were passed as Python objects.

    The command works in the folder where the run was started.

    Args:
        options: The options of the run, as its JSON report has them.
        nodeid: The node id of the item.
        module: The item's module or application as the user named it; empty if that is not known.
    """
    if IN_MEMORY in options["cases"]:
        return ""
    is_usual = tuple(options["seeds"]) == Thoroughness(str(options["level"])).seeds
    changed = command_line.changed({**options, "seed": None if is_usual else options["seed"]})
    further = (f"{option.flag}={text}" for option, text in changed)
    return shlex.join(["pytest", *_subjects(options, nodeid, module), *further, _PART.sub("", nodeid)])


def given_of(document: Document, nodeid: str) -> str:
    """Return how the user named the module or application of an item; empty if the document does not say."""
    case = nodeid.rpartition("::")[0]
    modules = {entry["module"] for entry in document["plugins"] if entry["id"] == case}
    names = [source["given"] for source in document.get("sources", ()) if source["module"] in modules]
    return str(names[0]) if len(names) == 1 else ""


def _subjects(options: Mapping[str, Any], nodeid: str, module: str) -> Iterator[str]:
    """Yield the options that name what to certify.

    A node id with ``+`` names its module, because two modules have a plugin of this key. Then all modules stay.
    """
    label = nodeid.partition("::")[2].partition("::")[0]
    for option, values in (
        ("module", options["modules"]),
        ("library", options.get("libraries", ())),
        ("app", options["apps"]),
    ):
        for value in values:
            if "+" in label or module in {"", value}:
                yield f"--plugin-{option}={value}"
