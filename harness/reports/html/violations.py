"""What is wrong, each thing once: the four answers, where TensorRT says so, why, and how to see it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.contract.expected_failures import file_entry
from harness.reports import text as words
from harness.reports.again import again, given_of
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.subjects import anchor, badge, counted, known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.reports.document import Document
    from harness.reports.html.subjects import Plugin

__all__ = ["number_of", "violations"]

_TOLD = ("FAIL", "XPASS", "WARN")
_ANSWERS = ("what", "where", "expected", "observed", "fix")
_Group = list[tuple[dict[str, Any], dict[str, Any]]]


def number_of(document: Document, plugins: Sequence[Plugin]) -> int:
    """Return how many things there are to tell."""
    return len(document["modules"]) + sum(len(list(_groups(plugin))) for plugin in plugins)


def violations(document: Document, plugins: Sequence[Plugin]) -> Html:
    """Return one card for each: failures first, then warnings, and last what the baseline has."""
    found = [(plugin, group) for plugin in plugins for group in _groups(plugin)]
    found.sort(key=lambda each: _urgency(each[1][0][1]))
    cards = [*map(_module, document["modules"]), *(_card(document, plugin, group) for plugin, group in found)]
    return joined(cards) if cards else element("p", "None: no rule failed, and none warns.")


def _urgency(entry: dict[str, Any]) -> tuple[bool, int]:
    return bool(entry.get("known")), _TOLD.index(entry["verdict"])


def _groups(plugin: Plugin) -> Iterator[_Group]:
    """Yield what is told, with all cases and shards that show the same."""
    groups: dict[str, _Group] = {}
    for rule, told in plugin.rules().items():
        for case, entry in told:
            if entry["verdict"] in _TOLD:
                same = repr((rule, entry["verdict"], entry["violations"], entry["reason"], entry.get("known", False)))
                groups.setdefault(same, []).append((case, entry))
    yield from groups.values()


def _card(document: Document, plugin: Plugin, group: _Group) -> Html:
    case, entry = group[0]
    command = _replay(document, case, entry)
    facts = document["rules"].get(entry["id"], {})
    cases = list(dict.fromkeys(each["case"] for each, _ in group))
    link = element("a", entry["id"], href=f"#{anchor('rule', entry['id'])}")
    return element(
        "article",
        element("header", element("h3", link, ": ", facts.get("requirement", "")), _badge(entry)),
        element("p", f"{plugin.label} · {', '.join(cases)} · ", element("code", _place(case)), class_="quiet-text"),
        _told(entry),
        _field("Why", _flowing(facts["reason"])) if facts.get("reason") else None,
        _again("See it again", command) if command else None,
        _again("To expect it, in a file", file_entry(case["key"], cases, entry["id"], entry["fingerprint"]))
        if entry["fingerprint"]
        else None,
        class_=f"card violation {'warning' if entry['verdict'] == 'WARN' or entry.get('known') else 'error'}",
        id=anchor("violation", plugin.label, entry["id"], cases[0]),
    )


def _badge(entry: dict[str, Any]) -> Html:
    return joined((badge(entry["verdict"]), known(entry)))


def _module(module: dict[str, Any]) -> Html:
    title = f"{module['module']}: the module as such"
    return element(
        "article",
        element("header", element("h3", title), badge(module["verdict"])),
        _told(module) if "violations" in module else None,
        class_="card violation error",
    )


def _place(case: dict[str, Any]) -> str:
    return f"{case['file']}:{case['line']}" if case["file"] else str(case["module"])


def _told(entry: dict[str, Any]) -> Html:
    """Tell the violations, the example and the mishap of an entry."""
    more = entry["broken"] - len(entry["violations"])
    return joined((
        _field("Because", entry["reason"]) if entry["reason"] else None,
        *_violations(entry["violations"]),
        element("p", f"and {more:,} more like these") if 0 < more < entry["broken"] else None,
        *(_listing("Example", words.shown(example)) for example in entry.get("examples", ())),
        _mishap(entry["mishap"]) if entry["mishap"] else None,
    ))  # fmt: skip


def _violations(found: Sequence[dict[str, Any]]) -> Iterator[Html]:
    """Yield the first violation in full, and where else the same was seen, folded."""
    for violation in found[:1]:
        source = str(violation["source"]).replace("TensorRT ; ", "")
        yield element("dl", _answers(violation), _pair("Source", source), class_="answers")
    if len(found) > 1:
        others = (element("dl", _answers(each), class_="answers") for each in found[1:])
        yield element("details", element("summary", f"{counted(len(found) - 1, 'violation')} more"), *others)


def _answers(violation: dict[str, Any]) -> Html:
    return joined(_pair(name.capitalize(), violation[name]) for name in _ANSWERS)


def _flowing(prose: str) -> str:
    """Return paragraphs without the ends of lines that they were written with."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in prose.split("\n\n"))


def _pair(name: str, value: object) -> Html:
    return joined((element("dt", name), element("dd", value)))


def _field(name: str, value: object) -> Html:
    return element("dl", _pair(name, value), class_="answers")


def _mishap(mishap: dict[str, Any]) -> Html:
    calls = "\n".join(mishap["calls"])
    return joined((
        _field("Callback", f"{mishap['callback']} {mishap['how']}"),
        _listing("Stack", mishap["stack"]) if mishap["stack"] else None,
        _listing("The last calls before it, oldest first", calls) if calls else None,
    ))  # fmt: skip


def _listing(title: str, content: str) -> Html:
    return element("details", element("summary", title), element("pre", content, tabindex=0))


def _again(title: str, command: str) -> Html:
    return element("div", element("h4", title), element("pre", command, tabindex=0), class_="command")


def _replay(document: Document, case: dict[str, Any], entry: dict[str, Any]) -> str:
    """Return the command that judges it again: the fuzz rule's own, or pytest with the item's id; or nothing."""
    if entry.get("replay"):
        return str(entry["replay"])
    nodeid = f"{case['id']}::{entry['id']}"
    return again(document["options"], nodeid, given_of(document, nodeid))
