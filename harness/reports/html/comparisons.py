"""Show comparisons with another version of a plugin: the change, the margin, and the result in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from harness.reports.html.axis import LEFT, RIGHT, WIDTH, Axis
from harness.reports.html.markup import Html, element, joined

_ROW: Final = 44
_AXIS: Final = 30
_CAPTION: Final = "Change of the time in %, with its bounds; what is within the shaded margin counts as the same"


def comparisons(compared: Sequence[dict[str, Any]]) -> Html | None:
    """Return a picture of the changes that were measured, and a table of all comparisons; None without any."""
    if not compared:
        return None
    rows = (element("tr", element("th", _name(each), scope="row"), element("td", each["said"])) for each in compared)
    title = f"Compared with {', '.join(dict.fromkeys(each['with'] for each in compared))}"
    changes = [each for each in compared if each.get("change")]
    table = element("div", element("table", *rows), class_="scroll", tabindex=0)
    return joined((element("h3", title), _picture(changes) if changes else None, table))


def _picture(changes: Sequence[dict[str, Any]]) -> Html:
    bounds = [share for each in changes for share in (*each["change"], -each["margin"], each["margin"])]
    axis = Axis([100 * share] for share in bounds)
    height = len(changes) * _ROW
    label = "; ".join(f"{_name(each)}: {each['said']}" for each in changes)
    drawing = element(
        "svg",
        *(_margin(number, each, axis) for number, each in enumerate(changes)),
        *axis.grid(height),
        *(_row(number, each, axis) for number, each in enumerate(changes)),
        viewBox=f"0 0 {WIDTH} {height + _AXIS}",
        role="img",
        aria_label=label,
        class_="plot",
    )
    caption = element("figcaption", _CAPTION)
    return element("figure", caption, element("div", drawing, class_="scroll", tabindex=0))


def _margin(number: int, compared: dict[str, Any], axis: Axis) -> Html:
    left, right = (axis.x(100 * share) for share in (-compared["margin"], compared["margin"]))
    return element("rect", x=f"{left:.1f}", y=number * _ROW, width=f"{right - left:.1f}", height=_ROW, class_="margin")


def _row(number: int, compared: dict[str, Any], axis: Axis) -> Html:
    low, middle, high = (100 * share for share in compared["change"])
    y = number * _ROW + 32
    return element(
        "g",
        element("title", f"{_name(compared)}: {compared['said']}"),
        element("text", _name(compared), x=LEFT, y=y - 14),
        element("line", x1=f"{axis.x(low):.1f}", x2=f"{axis.x(high):.1f}", y1=y, y2=y, class_="whisker"),
        element("circle", cx=f"{axis.x(middle):.1f}", cy=y, r=4, class_="change"),
        element("text", f"{middle:+.1f} %", x=WIDTH - RIGHT + 10, y=y + 4, class_="dim"),
    )


def _name(compared: dict[str, Any]) -> str:
    return str(compared["id"]).removeprefix("conformance::")
