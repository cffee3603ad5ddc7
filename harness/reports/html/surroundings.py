"""Show the items that were not judged, the remarks on verdicts, and the versions and options of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.contract.wording import counted
from harness.reports.html.markup import Html, element, joined

if TYPE_CHECKING:
    from harness.results.report import Document


def not_run(document: Document) -> Html:
    """List the items that were not judged, by reason."""
    by_reason: dict[str, list[str]] = {}
    for entry in document["not_run"]:
        by_reason.setdefault(entry["reason"], []).append(entry["id"].removeprefix("conformance::"))
    if not by_reason:
        return element("p", "No rule was left out, and none lacked what it needs.")
    parts = []
    for reason, ids in sorted(by_reason.items()):
        listed = element("ul", *(element("li", element("code", each)) for each in ids))
        items = element("details", element("summary", counted(len(ids), "item")), listed)
        parts += [element("dt", reason), element("dd", items)]
    return element("dl", *parts, class_="reasons")


def left_out(document: Document) -> Html:
    """List the remarks on what the verdicts leave out, which are no failures."""
    lead = "The verdicts do not rest on this, or rest on it doubtfully. None of it is a failure."
    remarks = (element("li", remark.removeprefix("conformance::")) for remark in document["left_out"])
    return joined([element("p", lead), element("ul", *remarks)])


def environment(document: Document) -> Html:
    """List versions, seeds and options."""
    options = ((name, value) for name, value in document["options"].items() if value not in (None, "", [], False))
    facts = [
        *((name, version) for name, version in document["versions"].items()),
        ("schema of the report", document["schema"]),
        ("seeds", _shown(document["seeds"])),
        *((f"option {name}", _shown(value)) for name, value in options),
        *(("examples are kept in", where) for where in document["databases"]),
    ]
    rows = (element("tr", element("th", name, scope="row"), element("td", value)) for name, value in facts)
    table = element("table", element("tbody", *rows), class_="environment")
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label="Environment")


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
