"""Draw the calls of a plugin's objects from a trace. Time runs down, each object has a lane, and each call is a dot.

Equal calls in a row are one dot with a number, so that hundreds of calls stay readable. The table below the drawing
lists all calls. When an object is destroyed, another object can use its lane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from harness.contract.wording import counted
from harness.reports.html.markup import Html, element, joined

_ROW: Final = 22
_LANE: Final = 20
_LEFT: Final = 16
_PHASE: Final = 105
_TEXT: Final = 900
_COLOURS: Final = 6
_LONGEST: Final = 120
_MOST_IN_TABLE: Final = 2000

#: The properties that calls of one dot share.
_ALIKE: Final = ("object", "method", "outcome", "after", "made")
Plain = dict[str, Any]


def timeline(trace: Plain) -> Html:
    """Return the drawing and the table of calls; without calls, a note that says why."""
    if not trace["calls"]:
        return element("p", f"No trace: {trace['note']}.", class_="alert")
    note = element("p", f"The trace is not complete: {trace['note']}.", class_="alert") if trace["note"] else None
    drawing = _Drawing(trace)
    title = f"{counted(len(trace['calls']), 'call')} on {counted(len(trace['objects']), 'object')}"
    return joined((
        note,
        element("div", drawing.svg(title), class_="scroll timeline", tabindex=0, role="group", aria_label=title),
        _table(trace, title),
    ))  # fmt: skip


class _Row(msgspec.Struct):
    """One line of the drawing: some equal calls, or the title of a step of the application.

    ``phase`` is set in the first row of a phase only.
    """

    calls: list[Plain]
    title: str = ""
    phase: str = ""


class _Drawing:
    """The drawing of one trace, with the lanes of its objects and the rows of its calls."""

    def __init__(self, trace: Plain) -> None:
        self._trace = trace
        self._rows = list(_rows(trace))
        self._at = {call["number"]: number for number, row in enumerate(self._rows) for call in row.calls}
        self._objects = {each["name"]: each for each in trace["objects"]}
        self._lanes = self._allotted()
        self._width = _LEFT + (max(self._lanes.values(), default=0) + 1) * _LANE

    def svg(self, title: str) -> Html:
        """Return the drawing."""
        width, height = self._width + _TEXT, (len(self._rows) + 1) * _ROW
        parts = [
            element("title", title),
            *map(self._line, self._lanes),
            *(self._row(number, row) for number, row in enumerate(self._rows)),
        ]
        return element("svg", *parts, viewBox=f"0 0 {width} {height}", width=width, height=height, role="img")

    def _span(self, name: str) -> tuple[int, int]:
        """Return the first and the last row of an object's life; if not destroyed, it lives to the end."""
        entry = self._objects[name]
        called = [self._at[call["number"]] for call in self._trace["calls"] if call["object"] == name]
        first = self._at.get(entry["call"], min(called, default=0))
        last = self._at.get(entry["destroyed"], len(self._rows))
        return first, max([last, *called]) if entry["destroyed"] else len(self._rows)

    def _allotted(self) -> dict[str, int]:
        """Return the lane of each object: the first lane that no other object uses during its life."""
        spans = {name: self._span(name) for name in self._objects}
        lanes: dict[str, int] = {}
        free_from: list[int] = []
        for name, (first, last) in sorted(spans.items(), key=lambda each: each[1][0]):
            lane = next((lane for lane, free in enumerate(free_from) if free < first), len(free_from))
            free_from[lane : lane + 1] = [last]
            lanes[name] = lane
        return lanes

    def _x(self, name: str) -> int:
        return _LEFT + self._lanes[name] * _LANE

    def _line(self, name: str) -> Html:
        """Draw an object's lane, with the arc that leads to it from its creator."""
        entry, (first, last), x = self._objects[name], self._span(name), self._x(name)
        top, bottom = _y(first), _y(last)
        path = f"M{x} {top}V{bottom}"
        if entry["parent"] in self._lanes:
            start = self._x(entry["parent"])
            path = f"M{start} {top}C{start} {top + _ROW} {x} {top} {x} {top + _ROW}V{max(bottom, top + _ROW)}"
        return element("path", element("title", name), d=path, class_=f"lane {self._colour(name)}")

    def _colour(self, name: str) -> str:
        return f"c{list(self._objects).index(name) % _COLOURS}"

    def _row(self, number: int, row: _Row) -> Html:
        y = _y(number)
        if not row.calls:
            return element("text", row.title, x=self._width, y=y + 4, class_="step")
        phase = element("text", row.phase, x=self._width, y=y + 4, class_="dim") if row.phase else None
        call, name = row.calls[0], row.calls[0]["object"]
        room = _LONGEST - min(len(name), _LONGEST // 2) - len(call["method"])
        hit = element("rect", x=0, y=y - _ROW // 2, width=self._width + _TEXT, height=_ROW, class_="hit")
        dot = element("circle", cx=self._x(name), cy=y, r=5, class_=f"dot {self._colour(name)} {_kind_of(call)}")
        tone = "failed-text" if _kind_of(call) == "failed" else "dim"
        label = element(
            "text",
            element("tspan", _cut(name, _LONGEST // 2), class_=f"name {self._colour(name)}"),
            element("tspan", f" {call['method']}", class_="method"),
            element("tspan", f" \N{MULTIPLICATION SIGN}{len(row.calls)}") if len(row.calls) > 1 else None,
            element("tspan", f" {_cut(_consequence(row.calls[-1]), room)}", class_=tone),
            x=self._width + _PHASE,
            y=y + 4,
        )
        title = "\n\n".join(map(_described, row.calls[:3])) + ("\n\n…" if len(row.calls) > 3 else "")  # noqa: PLR2004
        return element("g", element("title", title), hit, dot, phase, label, class_="call")


def _y(row: int) -> int:
    return row * _ROW + _ROW // 2


def _rows(trace: Plain) -> Iterator[_Row]:
    """Yield the calls in order, equal calls in one row, and each step's title before its calls."""
    steps = sorted(trace["steps"], key=lambda step: step["begun"])
    row, place = _Row([]), ("", "")
    for call in trace["calls"]:
        step = _step_of(steps, call)
        here = (f"{step['object']}.{step['method']}()" if step else "", call["phase"])
        last = row.calls[-1] if row.calls else call
        is_plain = not (last["made"] or last["failure"] or call["failure"]) and last["before"] == last["after"]
        if row.calls and (here != place or not is_plain or any(last[name] != call[name] for name in _ALIKE)):
            yield row
            row = _Row([])
        if here[0] != place[0]:
            yield _Row([], here[0] or "the application")
        if here != place:
            row.phase = call["phase"]
        place = here
        row.calls.append(call)
    yield row


def _step_of(steps: Sequence[Plain], call: Plain) -> Plain | None:
    """Return the application's step during which a call began, on the same thread; None if there is none."""
    return next(
        (
            each
            for each in steps
            if each["thread"] == call["thread"] and each["begun"] <= call["begun"]
            if each["duration"] is None or call["begun"] < each["begun"] + each["duration"]
        ),
        None,
    )


def _kind_of(call: Plain) -> str:
    """Return the kind of a call, by which it is drawn: ``failed``, ``default``, ``run`` (an execution), or empty."""
    if call["failure"] or call["outcome"] in {"raised", "did not return"}:
        return "failed"
    if call["outcome"] == "not overridden":
        return "default"
    return "run" if call["method"].startswith(("enqueue", "execute_async")) else ""


def _consequence(call: Plain) -> str:
    """Describe in a few words what a call led to: a failure, a new object, another stage, or TensorRT's default."""
    if call["failure"]:
        return f"{call['failure']['what']}; {call['failure']['becomes']}"
    if call["outcome"] in {"raised", "did not return"}:
        return f"{call['outcome']} {call['value']}".rstrip()
    if call["made"]:
        return f"→ {call['value']}"
    if call["before"] != call["after"]:
        return f"→ {call['after']}"
    return "(TensorRT's default)" if call["outcome"] == "not overridden" else ""


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: max(longest, 1) - 1]}…"


def _described(call: Plain) -> str:
    lines = [
        f"{call['number']}. {call['object']}.{call['method']}({', '.join(call['arguments'])})",
        f"phase {call['phase']}, {call['outcome']} {call['value']}".rstrip(),
        f"stage {call['before']} → {call['after']}" if call["after"] else "",
        f"{_micro(call['duration'])} µs" if call["duration"] is not None else "",
    ]
    return "\n".join(filter(None, lines))


def _micro(nanoseconds: int | None) -> str:
    return "" if nanoseconds is None else f"{nanoseconds / 1000:,.1f}"


def _table(trace: Plain, title: str) -> Html:
    heads = ("#", "Object", "Call", "Phase", "Stage", "Outcome", "µs", "Device memory")
    calls = trace["calls"][:_MOST_IN_TABLE]
    left = len(trace["calls"]) - len(calls) + trace["left_out"]
    table = element(
        "table",
        element("thead", element("tr", *(element("th", head, scope="col") for head in heads))),
        element("tbody", *map(_call, calls)),
    )
    return element(
        "details",
        element("summary", f"All as a table: {title}"),
        element("div", table, class_="scroll", tabindex=0, role="group", aria_label=f"Table: {title}"),
        element("p", f"and {counted(left, 'call')} more") if left else None,
    )


def _call(call: Plain) -> Html:
    stage = call["after"] if call["before"] == call["after"] else f"{call['before']} → {call['after']}"
    failed = call["failure"]
    outcome = f"{failed['what']}; {failed['becomes']}" if failed else f"{call['outcome']} {call['value']}"
    cells: Sequence[object] = (
        call["number"],
        call["object"],
        element("code", f"{call['method']}({', '.join(call['arguments'])})"),
        call["phase"],
        stage,
        outcome,
        _micro(call["duration"]),
        f"{call['memory'][0]:,} bytes" if call.get("memory") else "",
    )
    return element("tr", *(element("td", cell) for cell in cells))
