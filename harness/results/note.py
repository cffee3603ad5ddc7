"""Carry an item's verdict and other results from one process to another, on a report of pytest's."""

from __future__ import annotations

import dataclasses
from typing import Any

from harness.contract.codec import Record
from harness.contract.verdict import Result

#: The attribute of a report that carries the note, as plain data.
ATTRIBUTE = "trt_conformance"


@dataclasses.dataclass(frozen=True)
class Note(Record):
    """The data of an item that pytest's report lacks; it is sent between processes as plain data.

    Attributes:
        result: The verdict, if there is one.
        failed: Whether it fails the run.
        interference: Who tried to change how it is shown.
        internal: What failed in the harness or in the rule itself.
        known: Whether the run's baseline has it.
        excused: Whether it would fail the run, did the baseline not have it.
    """

    result: Result | None = None
    failed: bool = False
    interference: str = ""
    internal: str = ""
    known: bool = False
    excused: bool = False

    def to_plain(self) -> dict[str, Any]:
        """The note as JSON can hold it, without what the child wrote, which the report has as sections."""
        plain = super().to_plain()
        return {**plain, "result": {**plain["result"], "captured": {}} if self.result else None}


def attach(report: Any, note: Note) -> None:
    """Have a report carry a note, to the controller too."""
    setattr(report, ATTRIBUTE, note.to_plain())


def detach(report: Any) -> None:
    """Have a report carry no note any more."""
    delattr(report, ATTRIBUTE)


def note_of(report: Any) -> Note | None:
    """Return the note that a report carries, if it has one."""
    plain = getattr(report, ATTRIBUTE, None)
    return Note.from_plain(plain) if plain else None
