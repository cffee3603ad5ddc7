"""Plot latencies: the distribution of each quantity; host and device never share an axis.

A row shows a quantity's quartiles as a box, its 10th to 90th percentile as a line, and its median. Points are samples,
at most 200 of them. A broken line is the floor, below which no plugin can be. Steady and one-time quantities differ by
orders of magnitude, so they have separate axes.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from harness.reports.html.axis import LEFT, RIGHT, WIDTH, Axis, quantile
from harness.reports.html.comparisons import comparisons
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.subjects import case_title

if TYPE_CHECKING:
    from harness.results.report import Document

_MICRO: Final = 1e6
_ROW, _AXIS = 44, 30
#: The quantities that share an axis, by the axis's title.
_AXES: Final = {
    "Host, call after call": ("host_enqueue", "host_enqueue_net"),
    "Device, call after call": ("device_hot", "device_hot_net", "device_cold", "device_cold_net"),
    "Once in a process, until the work is done": ("first_call", "after_deserialize", "shape_switch"),
}
#: The most samples of a row that are drawn as points.
_MOST_DOTS: Final = 200


def latencies(document: Document) -> Html:
    """Return a part for each case that was measured, and a part for the comparisons."""
    both = document["latencies"]
    return joined((*map(_case, both["measured"]), comparisons(both["compared"])))


def _case(measured: dict[str, Any]) -> Html:
    machine = measured["facts"].get("machine", "")
    figures = [
        _figure(
            name,
            {each: measured["series"][each] for each in quantities if measured["series"].get(each)},
            measured.get("floors", {}),
        )
        for name, quantities in _AXES.items()
        if any(measured["series"].get(each) for each in quantities)
    ]
    listed = element("ul", *(element("li", line) for line in measured["lines"]), class_="plain")
    return element(
        "article",
        element("h3", case_title(measured["id"])),
        element("p", machine) if machine else None,
        *figures,
        listed,
        class_="card",
    )


def _figure(name: str, series: dict[str, list[float]], floors: dict[str, dict[str, Any]]) -> Html:
    floors = {each: floor for each, floor in floors.items() if each in series}
    bounds = [[floor["seconds"]] for floor in floors.values()]
    axis = Axis([value * _MICRO for value in samples] for samples in [*series.values(), *bounds])
    height = len(series) * _ROW + _AXIS
    rows = [_row(number, *each, axis) for number, each in enumerate(series.items())]
    lines = [_floor(number, floors[each], axis) for number, each in enumerate(series) if each in floors]
    of = "".join(f"; the broken line is the floor, {floor['of']}" for floor in floors.values())
    medians = "; ".join(f"{each}: median {_us(statistics.median(samples))}" for each, samples in series.items())
    drawing = element(
        "svg",
        *axis.grid(height - _AXIS),
        *rows,
        *lines,
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        aria_label=f"{name}. {medians}",
        class_="plot",
    )
    return element(
        "figure",
        element("figcaption", f"{name}, in µs; much longer samples are at the right end{of}"),
        element("div", drawing, class_="scroll", tabindex=0),
    )


def _row(number: int, name: str, samples: Sequence[float], axis: Axis) -> Html:
    ordered = sorted(value * _MICRO for value in samples)
    middle = number * _ROW + _ROW / 2
    p10, q1, median, q3, p90 = (quantile(ordered, share) for share in (0.1, 0.25, 0.5, 0.75, 0.9))
    x = {key: f"{axis.x(value):.1f}" for key, value in (("p10", p10), ("q1", q1), ("q3", q3), ("p90", p90))}
    width = f"{max(axis.x(q3) - axis.x(q1), 1):.1f}"
    line = f"{axis.x(median):.1f}"
    dots = (
        element("circle", cx=f"{axis.x(each):.1f}", cy=f"{middle + 13:.1f}", r=1.6, class_="sample")
        for each in ordered[:: max(1, math.ceil(len(ordered) / _MOST_DOTS))]
    )
    title = f"{name}: median {median:,.2f} µs, p10 {p10:,.2f}, p90 {p90:,.2f}, {len(ordered)} samples"
    return element(
        "g",
        element("title", title),
        element("text", name, x=LEFT - 10, y=middle + 4, text_anchor="end"),
        element("line", x1=x["p10"], x2=x["p90"], y1=middle - 4, y2=middle - 4, class_="whisker"),
        element("rect", x=x["q1"], y=middle - 11, width=width, height=14, class_="box"),
        element("line", x1=line, x2=line, y1=middle - 13, y2=middle + 5, class_="median"),
        *dots,
        element("text", _us(statistics.median(samples)), x=WIDTH - RIGHT + 10, y=middle + 4, class_="dim"),
    )


def _floor(number: int, floor: dict[str, Any], axis: Axis) -> Html:
    """Draw the floor, the time below which no plugin can be, as a line in the row of its quantity."""
    x, top = f"{axis.x(floor['seconds'] * _MICRO):.1f}", number * _ROW
    title = element("title", f"floor, {floor['of']}: {_us(floor['seconds'])}")
    return element("line", title, x1=x, x2=x, y1=top + 2, y2=top + _ROW - 2, class_="floor")


def _us(seconds: float) -> str:
    return f"{seconds * _MICRO:,.2f} µs"
