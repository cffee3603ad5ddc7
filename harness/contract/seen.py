"""Collect the formats and shapes that rules asked about and executed on a case, for the pictures of a report.

Answers carry them as plain data, in a dictionary of type `Seen`. A form is a type and a format, as ``FLOAT:LINEAR``.

* ``formats``: a list with one entry for each choice of forms for the tensors before a tensor. An entry has the
  ``tensor`` (``input 0``), the choice (``after``), and the ``accepted``, ``refused`` and ``failed`` forms of the
  tensor. Each failed form has a text that says how the query failed.
* ``shapes``: the input shapes of each execution, as ``2x3,4``, and whether a question about them showed a violation.

No plugin is asked or executed only for these pictures, and no verdict depends on them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, Final

from harness.contract.codec import Record

Seen = dict[str, Any]
#: The number of entries of ``formats`` that are kept for a case, at most.
MOST_CHOICES: Final = 24
#: The number of different input shapes that are kept for a rule, at most.
MOST_SHAPES: Final = 512
#: The number of different input shapes in a report for a case, at most; those with a violation come first.
MOST_REPORTED: Final = 400


@dataclasses.dataclass(frozen=True)
class FormatAnswers(Record):
    """A plugin's answers about the forms of one tensor, after one choice for the tensors before it.

    Attributes:
        tensor: Which tensor, for example input 0.
        after: The forms of the tensors before it, as TYPE:FORMAT.
        accepted: The forms that it accepts there.
        refused: The forms that it refuses there.
        failed: The forms for which the query failed, each with how it failed.
    """

    tensor: str
    after: tuple[str, ...]
    accepted: tuple[str, ...]
    refused: tuple[str, ...]
    failed: dict[str, str]


@dataclasses.dataclass(frozen=True)
class TriedShapes(Record):
    """The input shapes that the plugin was executed with, each once.

    Attributes:
        held: The dimensions of every input, for shapes about which no question showed a violation.
        violating: The same for shapes about which a question showed a violation, or with which enqueue failed.
        left_out: How many more there were, at least.
    """

    held: tuple[tuple[tuple[int, ...], ...], ...]
    violating: tuple[tuple[tuple[int, ...], ...], ...]
    left_out: int


def merged(parts: Iterable[Seen | None], most: int | None = None) -> Seen:
    """Merge what several answers saw: the first format table, and each shape once.

    Once there are ``most`` shapes, only shapes with a violation are added.
    """
    whole: Seen = {}
    for part in filter(None, parts):
        if part.get("formats") and "formats" not in whole:
            whole["formats"] = part["formats"]
        shapes = whole.setdefault("shapes", {})
        for shape, violates in part.get("shapes", {}).items():
            if shape in shapes or violates or most is None or len(shapes) < most:
                shapes[shape] = violates or shapes.get(shape, False)
    return whole


def formats_of(seen: Seen) -> tuple[FormatAnswers, ...] | None:
    """Return the format table; None where no rule asked for it."""
    return tuple(map(FormatAnswers.from_plain, seen.get("formats", ()))) or None


def shapes_of(seen: Seen) -> TriedShapes | None:
    """Return the shapes, in order of size; None without an execution.

    If there are more than a report holds, shapes without a violation are left out, evenly over that order.
    """
    shapes = seen.get("shapes", {})
    if not shapes:
        return None
    violating = _ordered(shape for shape, violates in shapes.items() if violates)[:MOST_REPORTED]
    room = MOST_REPORTED - len(violating)
    held = _ordered(shape for shape, violates in shapes.items() if not violates)
    kept = held if len(held) <= room else [held[number * len(held) // room] for number in range(room)]
    return TriedShapes(tuple(kept), tuple(violating), len(shapes) - len(kept) - len(violating))


def shape_text(inputs: Iterable[Iterable[int]]) -> str:
    """Return the input shapes of an execution as text, for example ``2x3,4``."""
    return ",".join("x".join(map(str, extents)) for extents in inputs)


def extents_of(text: str) -> tuple[tuple[int, ...], ...]:
    """Return the input shapes from a text of :func:`shape_text`."""
    return tuple(tuple(map(int, filter(None, each.split("x")))) for each in text.split(","))


def _ordered(shapes: Iterable[str]) -> list[tuple[tuple[int, ...], ...]]:
    return sorted(map(extents_of, shapes))
