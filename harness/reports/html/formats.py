"""Show the plugin's answers about formats as a grid.

It has a column for each form, which is a pair of type and format. It has a row for each tensor and each choice of forms
for the tensors before it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.contract.seen import MOST_CHOICES
from harness.contract.wording import counted
from harness.reports.html.drawing import drawing, figure, folded_table, glyph
from harness.reports.html.markup import Html, element, joined

Plain = Mapping[str, Any]
_CELL, _GAP, _LETTER, _LONGEST = 18, 8, 6.7, 40
#: The width that the last heading takes to the right of its column, because headings are turned.
_TURNED: Final = 56
_PLAIN: Final = ":LINEAR"
_LEGEND: Final = (
    ("yes", "accepted"),
    ("no", "refused"),
    ("no-answer", "the query failed"),
)
#: The mark of each kind of answer, in the order in which they are drawn.
_MEANING: Final = {"accepted": "yes", "refused": "no", "failed": "no-answer"}


def format_grid(answers: Sequence[Plain]) -> Html:
    """Return the grid of one case, with its table."""
    left = max(len(_cut(_label(row))) for row in answers) * _LETTER + 12
    columns = _columns(answers, left)
    accepted = sum(len(row["accepted"]) for row in answers)
    queries = sum(len(row[kind]) for row in answers for kind in _MEANING)
    failed = sum(len(row["failed"]) for row in answers)
    title = f"{counted(queries, 'question')} about formats, {accepted:,} accepted"
    title += f", {failed:,} failed" if failed else ""
    description = "; ".join(f"{_label(row)} accepts {', '.join(row['accepted']) or 'nothing'}" for row in answers)
    top = max(len(form.removesuffix(_PLAIN)) for form in columns) * _LETTER + 8
    heads = [
        element("text", name.removesuffix(_PLAIN), transform=f"translate({x + 4:g} {top - 6:g}) rotate(-60)")
        for name, x in columns.items()
    ]
    places = [top + (number + 0.5) * _CELL for number in range(len(answers))]
    parts = [part for row, y in zip(answers, places, strict=True) for part in _row(row, columns, left, y)]
    width = max(columns.values()) + _TURNED
    picture = drawing(title, description, width, top + len(answers) * _CELL + 6, *heads, *parts)
    caption = (
        "Each row is one tensor after one choice for the tensors before it. A type alone means that type with LINEAR. "
        "An empty place is a form that TensorRT does not have for the tensor's rank."
    )
    if len(answers) == MOST_CHOICES:
        caption += f" The first {MOST_CHOICES} choices are shown."
    return figure(caption, _LEGEND[: 3 if failed else 2], picture, _table(title, answers))


def _columns(answers: Sequence[Plain], left: float) -> dict[str, float]:
    """Return the x coordinate of each form: forms of one type are neighbours, with gaps between types."""
    forms = dict.fromkeys(form for row in answers for kind in _MEANING for form in row[kind])
    types = list(dict.fromkeys(form.partition(":")[0] for form in forms))
    ordered = sorted(forms, key=lambda form: types.index(form.partition(":")[0]))
    gaps = (types.index(form.partition(":")[0]) for form in ordered)
    return {
        form: left + number * _CELL + gap * _GAP + _CELL / 2
        for number, (form, gap) in enumerate(zip(ordered, gaps, strict=True))
    }


def _row(row: Plain, columns: Mapping[str, float], left: float, y: float) -> Iterator[Html]:
    label = _label(row)
    yield element("text", element("title", label), _cut(label), x=f"{left - 8:g}", y=f"{y + 4:g}", text_anchor="end")
    for kind, shape in _MEANING.items():
        for form in row[kind]:
            how = f"{kind}: {row['failed'][form]}" if kind == "failed" else kind
            yield glyph(shape, columns[form], y, f"{label}, {form}: {how}")


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


def _label(row: Plain) -> str:
    """Return the tensor with the forms of the tensors before it; equal forms in a row are counted."""
    chosen = []
    for form, same in itertools.groupby(row["after"]):
        number = len(list(same))
        name = form.removesuffix(_PLAIN)
        chosen.append(name if number == 1 else f"{name} \N{MULTIPLICATION SIGN}{number}")
    return f"{row['tensor']} after {', '.join(chosen)}" if chosen else str(row["tensor"])


def _table(title: str, answers: Sequence[Plain]) -> Html:
    rows = (
        (
            _label(row),
            ", ".join(row["accepted"]),
            ", ".join(row["refused"]),
            joined(element("p", f"{form}: {how}") for form, how in row["failed"].items()),
        )
        for row in answers
    )
    return folded_table(f"As a table: {title}", ("Tensor", "Accepted", "Refused", "Failed"), rows)
