"""Draw the parts that all pictures share: title, description, legend, and a table with the same facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.reports.html.markup import Html, element, joined


def drawing(title: str, description: str, width: float, height: float, *parts: object) -> Html:
    """Return an SVG that is not scaled, in a region that scrolls; screen readers read title and description."""
    svg = element(
        "svg",
        element("title", title),
        element("desc", description),
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
    )
    return element("div", svg, class_="scroll", tabindex=0, role="group", aria_label=title)


def figure(caption: object, legend: Iterable[tuple[str, str]], picture: Html, table: Html | None = None) -> Html:
    """Return a picture with its caption, its legend (kind of mark, meaning) and its folded table."""
    keys = [element("li", mark(kind), meaning) for kind, meaning in legend]
    parts = [element("figcaption", caption), element("ul", *keys, class_="legend") if keys else None, picture]
    return element("figure", *parts, table, class_="picture")


def mark(kind: str) -> Html:
    """Return the mark of a legend: a small drawing that screen readers skip."""
    return element("svg", glyph(kind, 8, 8), viewBox="0 0 16 16", width=16, height=16, aria_hidden="true")


def glyph(kind: str, x: float, y: float, title: str = "") -> Html:
    """Return a mark of a kind at a place; kinds differ in shape and in colour. ``title`` is its tooltip."""
    tooltip = element("title", title) if title else None
    if kind in {"yes", "no-answer"}:
        stroke = "M-3.5 0L-1 3L4 -3" if kind == "yes" else "M-3 -3L3 3M3 -3L-3 3"
        box = element("rect", x=-7, y=-7, width=14, height=14, rx=2, class_=f"mark {kind}")
        parts = (tooltip, box, element("path", d=stroke, class_="on-mark"))
        return element("g", *parts, transform=f"translate({x:g} {y:g})")
    if kind.startswith("cell-"):
        return element("rect", tooltip, x=x - 4, y=y - 7, width=8, height=14, class_=kind)
    if kind == "cross":
        return element("path", tooltip, d=f"M{x - 5:g} {y - 5:g}l10 10m0 -10l-10 10", class_="mark cross")
    return element("circle", tooltip, cx=f"{x:g}", cy=f"{y:g}", r=2 if kind == "no" else 5, class_=f"mark {kind}")


def folded_table(summary: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """Return a folded table with a summary; the first cell of a row is its heading."""
    head = element("thead", element("tr", *(element("th", each, scope="col") for each in heads)))
    body = [element("tr", element("th", first, scope="row"), *(element("td", each) for each in more))
            for first, *more in rows]  # fmt: skip
    table = element("table", head, element("tbody", *body), class_="of-picture")
    region = element("div", table, class_="scroll", tabindex=0, role="group", aria_label=summary)
    return element("details", element("summary", summary), region)


def by_case(parts: Iterable[tuple[str, Html]]) -> Html:
    """Return a foldable part for each case (title, content); the first is open."""
    return joined(
        element("details", element("summary", element("h3", title)), part, open=number == 0)
        for number, (title, part) in enumerate(parts)
    )
