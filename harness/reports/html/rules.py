"""Show each rule's verdict on each case, in one table for each plugin, which a reader can filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict
from harness.contract.wording import counted
from harness.reports.html.markup import NOTHING, Html, element, joined
from harness.reports.html.subjects import VERDICTS, anchor, badge, known

if TYPE_CHECKING:
    from harness.reports.html.subjects import Plugin
    from harness.results.report import Document

#: With more plugins than this, all tables are folded.
_MOST_OPEN = 3
#: With more plugins than this, a table leaves out rules that are PASS or N/A on every case.
_MOST_IN_FULL = 12
_UNEVENTFUL = frozenset({Verdict.PASS.value, Verdict.NOT_APPLICABLE.value})
_Entries = list[tuple[dict[str, Any], dict[str, Any]]]


def rules(document: Document, plugins: Sequence[Plugin]) -> Html:
    """Return the filter and the tables; without JavaScript the filter is hidden."""
    is_open = len(plugins) <= _MOST_OPEN
    in_full = len(plugins) <= _MOST_IN_FULL
    tables = (_table(document, plugin, is_open=is_open, in_full=in_full) for plugin in plugins)
    return joined((_filter(plugins), *tables))


def _filter(plugins: Sequence[Plugin]) -> Html:
    verdicts = {rule["verdict"] for plugin in plugins for case in plugin.cases for rule in case["rules"]}
    families = sorted({rule.partition("-")[0] for plugin in plugins for rule in plugin.rules()})
    return element(
        "form",
        _choice("verdict", "Verdict", [word for word in VERDICTS if word in verdicts]),
        _choice("family", "Family", families),
        element("label", "Text ", element("input", type="search", name="text", placeholder="enqueue, clone, …")),
        element("output", aria_live="polite"),
        id="filter",
        hidden=True,
    )


def _choice(name: str, label: str, words: Sequence[str]) -> Html:
    options = (element("option", word, value=word) for word in words)
    return element(
        "label", f"{label} ", element("select", element("option", "all", value=""), joined(options), name=name)
    )


def _table(document: Document, plugin: Plugin, *, is_open: bool, in_full: bool) -> Html:
    every = plugin.rules()
    listed = {rule: entries for rule, entries in every.items() if in_full or not _is_uneventful(entries)}
    columns = [case["case"] for case in plugin.cases]
    heads = joined(element("th", name, scope="col") for name in ("Rule", *columns, "Requirement"))
    rows = joined(_row(document, rule, entries, columns) for rule, entries in listed.items())
    table = element("table", element("thead", element("tr", heads)), element("tbody", rows), class_="rules")
    title = element("h3", plugin.label, " ", badge(plugin.verdict))
    return element(
        "details",
        element("summary", title, element("span", counted(len(every), "rule"), class_="quiet-text")),
        element("p", f"{counted(len(every) - len(listed), 'rule')}: PASS or N/A, not listed here.")
        if len(listed) < len(every)
        else None,
        element(
            "div", table, class_="scroll rules-scroll", tabindex=0, role="region", aria_label=f"Rules of {plugin.label}"
        )
        if listed
        else None,
        id=anchor("rules", plugin.label),
        open=is_open,
    )


def _is_uneventful(entries: _Entries) -> bool:
    """Return whether a rule passes or does not apply on every case."""
    return all(entry["verdict"] in _UNEVENTFUL for _, entry in entries)


def _row(document: Document, rule: str, entries: _Entries, columns: Sequence[str]) -> Html:
    verdicts = " ".join(dict.fromkeys(entry["verdict"] for _, entry in entries))
    requirement = document["rules"].get(rule, {}).get("requirement", "")
    by_case = ([entry for case, entry in entries if case["case"] == column] for column in columns)
    cells = joined(element("td", joined(map(_verdict, each)) if each else "—", class_="verdict") for each in by_case)
    link = element("a", rule, href=f"#{anchor('rule', rule)}")
    reasons = dict.fromkeys(  # the first violation, or why the rule was not judged
        str(entry["violations"][0]["what"] if entry["violations"] else entry["reason"]) for _, entry in entries
    )
    return element(
        "tr",
        element("th", link, scope="row"),
        cells,
        element("td", requirement, *(element("p", reason, class_="why") for reason in reasons if reason)),
        data_family=rule.partition("-")[0],
        data_verdicts=verdicts,
    )


def _verdict(entry: dict[str, Any]) -> Html:
    evidence = element("span", f" {entry['evidence']:,}", class_="evidence") if entry["evidence"] else NOTHING
    return joined((badge(entry["verdict"]), evidence, known(entry)))
