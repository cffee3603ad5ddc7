"""Write the report for a step of GitHub Actions: annotations as workflow commands, and the job summary.

GitHub shows ten errors, ten warnings and ten notices of a step, and silently drops the rest. So the tenth annotation
says how many more exist. GitHub cuts a message after 4,096 characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from harness.reports import markdown
from harness.reports.checkout import from_root
from harness.reports.gaps import gaps_of
from harness.reports.spot import spot_of
from harness.reports.story import paragraphs
from harness.results.defects import defects_of

if TYPE_CHECKING:
    from harness.results.defects import Defect
    from harness.results.report import Document

#: The number of annotations of one kind that GitHub shows for a step.
MOST = 10
#: The most bytes that GitHub accepts as the summary of a step.
SUMMARY = 1024 * 1024
#: The most characters of a message; GitHub would cut it after 4,096.
LONGEST_MESSAGE = 4_000
_LONGEST_TITLE = 200
_TITLE = "TensorRT plugin conformance"
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def render(document: Document) -> str:
    """Return the annotations, one line for each, or an empty text if there are no defects and no gaps.

    Failures in the baseline are notices.
    """
    defects = [defect for defect in defects_of(document) if not defect.expected]
    errors = [_command("error", gap, _TITLE) for gap in gaps_of(document)]
    errors += [_annotation("error", document, defect) for defect in defects if defect.fails]
    warnings = [_annotation("warning", document, defect) for defect in defects if not defect.fails and not defect.known]
    known = [_annotation("notice", document, defect) for defect in defects if not defect.fails and defect.known]
    kinds = {"error": errors, "warning": warnings, "notice": known}
    return "".join(f"{line}\n" for kind, lines in kinds.items() for line in _shown(kind, lines))


def summary(document: Document, size: int = 0) -> str:
    """Return the text to append to a job summary that has ``size`` bytes already."""
    text = markdown.rendered(document, SUMMARY - size - 2)
    return f"\n\n{text}" if size else text


def _shown(kind: str, commands: Sequence[str]) -> Iterator[str]:
    if len(commands) <= MOST:
        yield from commands
        return
    yield from commands[: MOST - 1]
    more = len(commands) - MOST + 1
    yield _command(
        kind, f"{more:,} more {kind}s are not annotated here: the job summary and the reports have all", _TITLE
    )


def _annotation(kind: str, document: Document, defect: Defect) -> str:
    message = "\n".join(paragraphs(document, defect))
    place, spot = {}, spot_of(document, defect)
    if spot is not None:
        place["file"] = from_root(spot.file, document["root"]) or spot.file
        place["line"] = str(max(spot.line, 1))
    return _command(kind, message, defect.title, **place)


def _command(kind: str, message: str, title: str, **place: str) -> str:
    """Return a workflow command in one line: all texts are escaped and clipped."""
    values = {**place, "title": _clipped(title, _LONGEST_TITLE)}
    properties = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in values.items())
    return f"::{kind} {properties}::{_escaped(_clipped(message, LONGEST_MESSAGE), _DATA)}"


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)
