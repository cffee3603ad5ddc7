"""Latencies as plots: the distribution of each quantity, host and device never on one axis.

A row shows a quantity's samples as a box (quartiles), a line from the 10th to the 90th percentile, the median, and the
samples themselves as far as there are few. Steady quantities and those that come once differ by orders of magnitude,
and have axes of their own as well.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from harness.reports.html.markup import Html, element, joined

if TYPE_CHECKING:
    from harness.results.report import Document

_MICRO: Final = 1e6
_WIDTH, _LEFT, _RIGHT, _ROW, _AXIS = 720, 150, 90, 44, 30
#: Which quantities share an axis.
_AXES: Final = {
    "Host, call after call": ("host_enqueue", "host_enqueue_net"),
    "Device, call after call": ("device_hot", "device_hot_net", "device_cold", "device_cold_net"),
    "Once in a process, until the work is done": ("first_call", "after_deserialize", "shape_switch"),
}
#: So many samples are drawn one by one.
_MOST_DOTS: Final = 200


def latencies(document: Document) -> Html:
    """Return a part for each case that was measured, and what was compared."""
    found = document["latencies"]
    return joined((*map(_case, found["measured"]), _compared(found["compared"])))


def _case(measured: dict[str, Any]) -> Html:
    title = measured["id"].removeprefix("conformance::").removesuffix("::").replace("::", " · ")
    machine = measured["facts"].get("machine", "")
    figures = [
        _figure(name, {each: measured["series"][each] for each in quantities if measured["series"].get(each)})
        for name, quantities in _AXES.items()
        if any(measured["series"].get(each) for each in quantities)
    ]
    told = element("ul", *(element("li", line) for line in measured["lines"]), class_="plain")
    return element(
        "article", element("h3", title), element("p", machine) if machine else None, *figures, told, class_="card"
    )


def _compared(compared: Sequence[dict[str, Any]]) -> Html | None:
    if not compared:
        return None
    rows = (
        element("tr", element("th", each["id"].removeprefix("conformance::"), scope="row"), element("td", each["said"]))
        for each in compared
    )
    title = f"Compared with {', '.join(dict.fromkeys(each['with'] for each in compared))}"
    return joined((element("h3", title), element("div", element("table", *rows), class_="scroll", tabindex=0)))


def _figure(name: str, series: dict[str, list[float]]) -> Html:
    scale = _Scale([value * _MICRO for value in samples] for samples in series.values())
    height = len(series) * _ROW + _AXIS
    rows = [_row(number, *each, scale) for number, each in enumerate(series.items())]
    told = "; ".join(f"{each}: median {_us(statistics.median(samples))}" for each, samples in series.items())
    drawing = element(
        "svg",
        *scale.axis(height - _AXIS),
        *rows,
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        aria_label=f"{name}. {told}",
        class_="plot",
    )
    return element(
        "figure",
        element("figcaption", f"{name}, in µs; what took far longer stands at the right end"),
        element("div", drawing, class_="scroll", tabindex=0),
    )


class _Scale:
    """A linear axis over some series, which begins at 0 unless that would press them together.

    A few samples that the machine interrupted do not count: they stand at the end of the axis.
    """

    def __init__(self, series: Iterable[Sequence[float]]) -> None:
        series = list(series)
        low, high = min(map(min, series)), max(map(_reach, series))
        self.low = 0.0 if low >= 0 and low < high / 2 else low
        self.high = high if high > self.low else self.low + 1.0

    def x(self, value: float) -> float:
        """Return where a value stands; what is beyond the axis stands at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def axis(self, y: float) -> Iterator[Html]:
        """Draw some round values and lines up from them."""
        for tick in _ticks(self.low, self.high):
            x = f"{self.x(tick):.1f}"
            yield element("line", x1=x, x2=x, y1=0, y2=y, class_="grid")
            yield element("text", f"{tick:g}", x=x, y=y + 18, text_anchor="middle", class_="dim")


def _reach(samples: Sequence[float]) -> float:
    """Return how far the axis goes for some samples: up to three times their middle half, as in box plots."""
    ordered = sorted(samples)
    low, high = (_quantile(ordered, share) for share in (0.25, 0.75))
    return max(each for each in ordered if each <= high + 3 * (high - low))


def _ticks(low: float, high: float) -> Iterator[float]:
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    tick = math.ceil(low / step)
    while tick * step <= high:
        yield round(tick * step, 12)
        tick += 1


def _row(number: int, name: str, samples: Sequence[float], scale: _Scale) -> Html:
    ordered = sorted(value * _MICRO for value in samples)
    middle = number * _ROW + _ROW / 2
    p10, q1, median, q3, p90 = (_quantile(ordered, share) for share in (0.1, 0.25, 0.5, 0.75, 0.9))
    x = {key: f"{scale.x(value):.1f}" for key, value in (("p10", p10), ("q1", q1), ("q3", q3), ("p90", p90))}
    width = f"{max(scale.x(q3) - scale.x(q1), 1):.1f}"
    line = f"{scale.x(median):.1f}"
    dots = (
        element("circle", cx=f"{scale.x(each):.1f}", cy=f"{middle + 13:.1f}", r=1.6, class_="sample")
        for each in ordered[:: max(1, math.ceil(len(ordered) / _MOST_DOTS))]
    )
    told = f"{name}: median {median:,.2f} µs, p10 {p10:,.2f}, p90 {p90:,.2f}, {len(ordered)} samples"
    return element(
        "g",
        element("title", told),
        element("text", name, x=_LEFT - 10, y=middle + 4, text_anchor="end"),
        element("line", x1=x["p10"], x2=x["p90"], y1=middle - 4, y2=middle - 4, class_="whisker"),
        element("rect", x=x["q1"], y=middle - 11, width=width, height=14, class_="box"),
        element("line", x1=line, x2=line, y1=middle - 13, y2=middle + 5, class_="median"),
        *dots,
        element("text", _us(statistics.median(samples)), x=_WIDTH - _RIGHT + 10, y=middle + 4, class_="dim"),
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _us(seconds: float) -> str:
    return f"{seconds * _MICRO:,.2f} µs"
