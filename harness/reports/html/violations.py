"""Show each defect once: the four answers, TensorRT's requirement, the reason, and the command that repeats it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from harness.contract.verdict import Verdict
from harness.contract.wording import counted
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.subjects import anchor, badge, known
from harness.reports.story import ANSWERS, AT, CODE, expectation, replay, story_of

if TYPE_CHECKING:
    from harness.results.defects import Defect
    from harness.results.report import Document

#: The parts of a defect's story that are folded because they are long.
_LONG = ("example", "then", "stack", "calls")


def violations(document: Document, defects: Sequence[Defect]) -> Html:
    """Return one card for each defect."""
    cards = [_card(document, defect) for defect in defects]
    return joined(cards) if cards else element("p", "None: no rule failed, and none warns.")


def _card(document: Document, defect: Defect) -> Html:
    if not defect.cases:
        header = element("header", element("h3", f"{defect.subject}: the module itself"), badge(defect.verdict))
        return element("article", header, _story(document, defect), class_="card violation error")
    facts, case = document["rules"][defect.rule], defect.smallest.subject
    reason = (" ".join(paragraph.split()) for paragraph in facts["reason"].split("\n\n"))  # unwraps its lines
    command, in_file = replay(document, defect), expectation(defect).get("in a file")
    link = element("a", defect.rule, href=f"#{anchor('rule', defect.rule)}")
    place = f"{case['file']}:{case['line']}" if case["file"] else case["module"]
    warns = defect.verdict in {Verdict.WARN.value, Verdict.NOTE.value} or defect.known
    return element(
        "article",
        element("header", element("h3", link, ": ", defect.requirement), badge(defect.verdict), known(defect.entry)),
        element("p", f"{defect.subject} · {', '.join(defect.cases)} · ", element("code", place), class_="quiet-text"),
        _story(document, defect),
        _pairs([("why", "\n\n".join(reason))]) if facts["reason"] else None,
        _command("See it again", command) if command else None,
        _command("To expect it, in a file", in_file) if in_file else None,
        class_=f"card violation {'warning' if warns else 'error'}",
        id=anchor("violation", defect.subject, defect.rule, defect.cases[0]),
    )


def _story(document: Document, defect: Defect) -> Html:
    """Return the story of a defect: the first violation in full; other violations and long parts are folded."""
    parts = [part for part in story_of(document, defect) if part[0] != "replay"]
    answers = [part for part in parts if part[0] in ANSWERS]
    first, others = answers[: len(ANSWERS)], answers[len(ANSWERS) :]
    more = counted(len(others) // len(ANSWERS), "finding")
    said = [part for part in parts if part[0] not in (*ANSWERS, *_LONG, AT, CODE, "and")]
    said = [*[part for part in parts if part[0] == AT][:1], *said]
    because, rest = [part for part in said if part[0] == "because"], [part for part in said if part[0] != "because"]
    return joined((
        _pairs([*because, *first, *rest]),
        *(_command("Look at", text) for name, text in parts if name == CODE),
        element("details", element("summary", f"{more} more"), _pairs(others)) if others else None,
        *(element("p", f"and {text}") for name, text in parts if name == "and"),
        *(
            element("details", element("summary", name.capitalize()), element("pre", text, tabindex=0))
            for name, text in parts
            if name in _LONG
        ),
    ))  # fmt: skip


def _pairs(parts: Iterable[tuple[str, str]]) -> Html:
    pairs = (joined((element("dt", name.capitalize()), element("dd", text))) for name, text in parts)
    return element("dl", *pairs, class_="answers")


def _command(title: str, command: str) -> Html:
    return element("div", element("h4", title), element("pre", command, tabindex=0), class_="command")
