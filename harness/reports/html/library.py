"""Show a library of plugins in a table: a row for each plugin, with a mark for each rule.

The script of the page sorts the table and searches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from harness.contract.wording import counted
from harness.reports.html.drawing import figure
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.subjects import STANDINGS, VERDICTS, anchor, badge, worst

if TYPE_CHECKING:
    from harness.reports.html.subjects import Plugin
    from harness.results.report import Document

#: Up to this number of plugins, the page has no table like this: the summary shows them.
FEW: Final = 1
_CELL, _HEIGHT, _GAP = 4, 16, 6
#: The mark of each verdict: its class, and the share of the cell's height that it fills, from below.
_MARKS: Final[Mapping[str, tuple[str, float]]] = {
    "FAIL": ("bad", 1),
    "XPASS": ("bad", 1),
    "BLOCKED": ("fair", 0.75),
    "WARN": ("fair", 0.75),
    "XFAIL": ("fair", 0.75),
    "NOT-RUN": ("quiet", 0.5),
    "PASS": ("good", 0.35),
    "N/A": ("quiet", 0.12),
}
_LEGEND: Final = (
    ("cell-bad", "FAIL, XPASS: full height"),
    ("cell-fair", "WARN, BLOCKED, XFAIL: three quarters"),
    ("cell-good", "PASS: low"),
    ("cell-quiet", "NOT-RUN: half; N/A: a line"),
)


def library(document: Document, plugins: Sequence[Plugin]) -> Html:
    """Return the search field and the table; without JavaScript the field is hidden."""
    rules = sorted(document["rules"])
    title = f"{counted(len(plugins), 'plugin')} by {counted(len(rules), 'rule')}"
    heads = ("Plugin", "Verdict", "Failed", "Warned", "Not judged", "Passed", "Evaluations")
    columns = (element("th", head, scope="col", aria_sort="none") for head in heads)
    places = _places(rules)
    table = element(
        "table",
        element("caption", title, class_="quiet-text"),
        element("thead", element("tr", *columns, element("th", "Rules ", _families(rules, places), scope="col"))),
        element("tbody", *(_row(plugin, places) for plugin in plugins)),
        class_="library",
    )
    search = element("input", type="search", name="text", placeholder="a plugin, a verdict, or a rule that fails")
    form = element(
        "form", element("label", "Search ", search), element("output", aria_live="polite"), id="search", hidden=True
    )
    region = element("div", table, class_="scroll rules-scroll", tabindex=0, role="region", aria_label=title)
    caption = "Each row is a plugin, each column of its drawing a rule, in the order of the ids. Families are apart."
    return joined((form, figure(caption, _LEGEND, region)))


def _places(rules: Sequence[str]) -> dict[str, int]:
    """Return the x coordinate of each rule's mark."""
    places, x, family = {}, 0, ""
    for rule in rules:
        x += _GAP if family and rule.partition("-")[0] != family else 0
        family = rule.partition("-")[0]
        places[rule] = x
        x += _CELL
    return places


def _families(rules: Sequence[str], places: Mapping[str, int]) -> Html:
    """Return the heading with the names of families, above their columns, as far as they are wide enough."""
    families = [rule.partition("-")[0] for rule in rules]
    names = [
        element("text", name, x=places[rules[families.index(name)]], y=10)
        for name in dict.fromkeys(families)
        if families.count(name) * _CELL >= 24  # noqa: PLR2004 - the width of three letters
    ]
    width = _width(places)
    return element("svg", *names, viewBox=f"0 0 {width} 12", width=width, height=12, aria_hidden="true")


def _width(places: Mapping[str, int]) -> int:
    return max(places.values(), default=0) + _CELL


def _row(plugin: Plugin, places: Mapping[str, int]) -> Html:
    """Return a plugin's row: the numbers of rules by worst verdict, and a drawing with their marks."""
    verdicts = {
        rule: worst((entry["verdict"] for _, entry in entries), VERDICTS) for rule, entries in plugin.rules().items()
    }
    bad = [rule for rule, verdict in verdicts.items() if verdict in {"FAIL", "XPASS"}]
    words = list(verdicts.values())
    unjudged = sum(words.count(word) for word in ("BLOCKED", "NOT-RUN", "XFAIL"))
    evidence = sum(case["evidence"] for case in plugin.cases)
    counts = (len(bad), words.count("WARN"), unjudged, words.count("PASS"), evidence)
    link = element("a", plugin.label, href=f"#{anchor('rules', plugin.label)}")
    standing = STANDINGS.index(plugin.verdict) if plugin.verdict in STANDINGS else len(STANDINGS)
    return element(
        "tr",
        element("th", link, scope="row", data_value=plugin.label),
        element("td", badge(plugin.verdict), data_value=standing),
        *(element("td", f"{count:,}", data_value=count, class_="number") for count in counts),
        element("td", _strip(verdicts, places, bad), element("small", ", ".join(bad), class_="why") if bad else None),
        data_text=" ".join([plugin.label, plugin.verdict, *bad]).lower(),
    )


def _strip(verdicts: Mapping[str, str], places: Mapping[str, int], bad: Sequence[str]) -> Html:
    """Draw a mark for each rule; the marks of one verdict are one path."""
    label = f"{', '.join(bad)} failed" if bad else "no rule failed"
    width = _width(places)
    return element(
        "svg",
        *_paths(verdicts, places),
        viewBox=f"0 0 {width} {_HEIGHT}",
        width=width,
        height=_HEIGHT,
        role="img",
        aria_label=label,
        class_="strip",
    )


def _paths(verdicts: Mapping[str, str], places: Mapping[str, int]) -> Iterator[Html]:
    for verdict, (kind, share) in _MARKS.items():
        height = max(1, round(share * _HEIGHT))
        path = "".join(
            f"M{places[rule]} {_HEIGHT - height}h{_CELL - 1}v{height}h-{_CELL - 1}z"
            for rule, each in verdicts.items()
            if each == verdict and rule in places
        )
        if path:
            yield element("path", d=path, class_=f"cell-{kind}")
