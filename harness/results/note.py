"""Attach an item's verdict to pytest's report, which carries it from a worker to the controller."""

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
        result: The verdict; None if there is none.
        failed: Whether the verdict fails the run.
        interference: Which mark or pytest plugin changed the outcome of the item; empty if none did.
        internal: The internal error of the harness or of the rule; empty if there is none.
        known: Whether the run's baseline has the failure.
        excused: Whether the verdict would fail the run without the baseline.
    """

    result: Result | None = None
    failed: bool = False
    interference: str = ""
    internal: str = ""
    known: bool = False
    excused: bool = False

    def to_plain(self) -> dict[str, Any]:
        """Return the note as JSON can hold it, without the child's output: the report has it as sections."""
        plain = super().to_plain()
        return {**plain, "result": {**plain["result"], "captured": {}} if self.result else None}


def attach(report: Any, note: Note) -> None:
    """Attach a note to a report; pytest-xdist sends it to the controller."""
    setattr(report, ATTRIBUTE, note.to_plain())


def detach(report: Any) -> None:
    """Remove the note from a report."""
    delattr(report, ATTRIBUTE)


def note_of(report: Any) -> Note | None:
    """Return the note that is attached to a report; None if there is none."""
    plain = getattr(report, ATTRIBUTE, None)
    return Note.from_plain(plain) if plain else None
