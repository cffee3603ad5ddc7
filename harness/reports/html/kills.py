"""Show which faulty plugins each rule detects, as a matrix and in words.

The tests of pytest-trt-conformance judge each of these plugins with every rule, and check that exactly these detect it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from harness.contract.wording import counted
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.subjects import anchor

if TYPE_CHECKING:
    from harness.results.report import Document

_CELL: Final = 4
_LEFT, _TOP = 52, 8
Witness = dict[str, Any]


def kills(document: Document) -> Html:
    """Return a matrix of the run's rules and their faulty plugins, then each rule with its facts and plugins."""
    rules: Mapping[str, Any] = document["rules"]
    witnesses = [each for each in document.get("witnesses", ()) if {each["breaks"], *each["also"]} & {*rules}]
    witnesses.sort(key=lambda each: (each["breaks"], each["name"]))
    by_rule: dict[str, list[Witness]] = {rule: [] for rule in rules}
    for witness in witnesses:
        for rule in {witness["breaks"], *witness["also"]} & {*rules}:
            by_rule[rule].append(witness)
    caught = sum(bool(each) for each in by_rule.values())
    lead = (
        f"Of the {counted(len(rules), 'rule')} that apply here, {caught:,} are shown to fail "
        f"on {counted(len(witnesses), 'faulty plugin')} of this harness."
    )
    return joined((
        element("p", lead),
        _matrix(list(rules), witnesses) if witnesses else None,
        *(_family(family, document, by_rule) for family in dict.fromkeys(rule.partition("-")[0] for rule in rules)),
    ))  # fmt: skip


def _matrix(rules: Sequence[str], witnesses: Sequence[Witness]) -> Html:
    """Draw rules from top to bottom and witnesses from left to right."""
    width, height = _LEFT + len(witnesses) * _CELL + 8, _TOP + len(rules) * _CELL + 8
    place = {rule: _TOP + number * _CELL for number, rule in enumerate(rules)}
    cells = [
        element(
            "rect",
            element("title", f"{rule} finds {witness['name']}"),
            x=_LEFT + column * _CELL,
            y=place[rule],
            width=_CELL - 1,
            height=_CELL - 1,
            class_="kill" if rule == witness["breaks"] else "kill also",
        )
        for column, witness in enumerate(witnesses)
        for rule in (witness["breaks"], *sorted(witness["also"]))
        if rule in place
    ]
    title = f"Kill matrix: {counted(len(rules), 'rule')} by {counted(len(witnesses), 'faulty plugin')}"
    drawing = element(
        "svg",
        element("title", title),
        *_bands(rules, width),
        *cells,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
    )
    caption = "Rules from top to bottom, faulty plugins from left to right; a lighter cell: a general rule sees it too."
    region = element("div", drawing, class_="scroll", tabindex=0, role="region", aria_label=title)
    return element("figure", region, element("figcaption", caption))


def _bands(rules: Sequence[str], width: int) -> Iterator[Html]:
    """Shade every other family of rules, and name the families with enough height for the name."""
    families = [rule.partition("-")[0] for rule in rules]
    for number, family in enumerate(dict.fromkeys(families)):
        first, size = families.index(family), families.count(family)
        y, height = _TOP + first * _CELL, size * _CELL
        yield element("rect", x=_LEFT, y=y, width=width - _LEFT, height=height, class_=f"band b{number % 2}")
        if height >= 2 * _CELL:
            yield element("text", family, x=_LEFT - 6, y=y + height / 2 + 3, text_anchor="end", class_="name-of-family")


def _family(family: str, document: Document, by_rule: Mapping[str, Sequence[Witness]]) -> Html:
    rules = [rule for rule in by_rule if rule.partition("-")[0] == family]
    cards = joined(_rule(document["rules"][rule], by_rule[rule]) for rule in rules)
    return element(
        "details",
        element("summary", element("h3", family), element("span", counted(len(rules), "rule"), class_="quiet-text")),
        cards,
        class_="family",
    )


def _rule(facts: dict[str, Any], witnesses: Sequence[Witness]) -> Html:
    source = facts["source"]
    section = f", {source['section']}" if source["section"] else ""
    versions = f"TensorRT {', '.join(source['versions'])}" if source["versions"] else ""
    about = f"({'; '.join(filter(None, (versions, source['basis'])))})"
    severity = "; ".join(dict.fromkeys(facts["severity"].values()))
    shown = []
    for each in witnesses:  # the defect; if it was planted for another rule, also why this rule detects it
        also = f" (planted for {each['breaks']}; {each['also'].get(facts['id'], '')})"
        defect = f"{each['defect']}{'' if each['breaks'] == facts['id'] else also}".replace("``", "")
        shown.append(element("li", element("code", each["name"]), f": {defect}"))
    return element(
        "section",
        element("h4", f"{facts['id']}: {facts['requirement']}"),
        element("p", facts["reason"]) if facts["reason"] else None,
        element(
            "p", f"{severity}, level {facts['level']} · {source['document']}{section} {about}", class_="quiet-text"
        ),
        element("p", source["note"], class_="quiet-text") if source["note"] else None,
        element("ul", *shown)
        if witnesses
        else element("p", "No faulty plugin that ships with this harness shows it fail.", class_="quiet-text"),
        id=anchor("rule", facts["id"]),
        class_="rule",
    )
