"""Show one card for each plugin, with its verdict, its counts and where its kernels ran."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harness.contract.wording import counted
from harness.reports.gaps import vanished_of
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.subjects import STANDINGS, VERDICTS, anchor, badge, worst

if TYPE_CHECKING:
    from harness.reports.html.subjects import Plugin
    from harness.results.report import Document

_KINDS = {"PASS": "good", "FAIL": "bad", "XPASS": "bad", "N/A": "quiet"}


def headline(document: Document, plugins: Sequence[Plugin]) -> Html:
    """Return one line with the outcome of the run, and alerts: an interruption, missing plugins, internal errors."""
    verdicts = [plugin.verdict for plugin in plugins]
    standings = [f"{verdicts.count(word)} {word}" for word in reversed(STANDINGS) if word in verdicts]
    failed = counted(len(document["modules"]), "module") + " failed as a whole"
    parts = [*_subjects(plugins), *standings, *([failed] if document["modules"] else [])]
    return joined((
        element("p", " · ".join(parts), class_="lead"),
        element("p", "This run was interrupted: what is missing here was not judged.", class_="alert")
        if document["status"] != "complete"
        else None,
        *(
            element("p", f"FAILS · {name}: the baseline judged it, and this run does not find it.", class_="alert")
            for name in vanished_of(document)
        ),
        *(element("pre", error, class_="alert") for error in document["internal_errors"]),
    ))  # fmt: skip


def _subjects(plugins: Sequence[Plugin]) -> Iterator[str]:
    """Yield the numbers of plugins and of applications, as words."""
    applications = sum(plugin.is_application for plugin in plugins)
    if len(plugins) > applications or not plugins:
        yield counted(len(plugins) - applications, "plugin")
    if applications:
        yield counted(applications, "application")


def summary(document: Document, plugins: Sequence[Plugin]) -> Html:
    """Return a card for each plugin."""
    cards = joined(_card(document, plugin) for plugin in plugins)
    return element("div", cards, class_="cards") if plugins else element("p", "No plugin was certified.")


def _card(document: Document, plugin: Plugin) -> Html:
    first = plugin.first
    name = element("a", plugin.label, href=f"#{anchor('rules', plugin.label)}")
    where = f"{first['file']}:{first['line']}" if first["file"] else first["module"]
    # Each rule counts once, by its worst verdict.
    verdicts = [worst((rule["verdict"] for _, rule in entries), VERDICTS) for entries in plugin.rules().values()]
    counts = {word: verdicts.count(word) for word in ("PASS", *VERDICTS) if word in verdicts}
    return element(
        "article",
        element("header", element("h3", name), badge(plugin.verdict)),
        element("p", f"{first['interface']} · {first['creator']}", element("br"), element("code", where)),
        _bar(counts),
        element("dl", joined(_facts(document, plugin)), class_="facts"),
        class_="card",
    )


def _facts(document: Document, plugin: Plugin) -> Iterator[Html]:
    cases = plugin.cases
    inferred = {case["case"] for case in cases if case["inferred"]}
    names = [f"{case['case']}{' (inferred)' if case['case'] in inferred else ''}" for case in cases]
    yield _fact("Cases", ", ".join(names))
    yield _fact("Level", f"{document['level']}, TensorRT {', '.join(dict.fromkeys(case['spec'] for case in cases))}")
    selected, total = (max(case[name] for case in cases) for name in ("selected", "total"))
    yield _fact("Rules", f"{selected:,} of {total:,}" if selected < total else f"{total:,}, all that concern it")
    yield _fact("Evidence", counted(sum(case["evidence"] for case in cases), "evaluation"))
    if not plugin.is_application:
        yield _fact("Kernels", _kernels(cases))


def _kernels(cases: Sequence[dict[str, Any]]) -> str:
    stand_ins = sorted({name for case in cases for name in case["stand_ins"]})
    devices = ", ".join(dict.fromkeys(case["device"] for case in cases))
    if stand_ins:
        return f"stand-ins ran for {', '.join(stand_ins)}"
    ran = [case["kernels_executed"] for case in cases]
    if all(each is True for each in ran):
        return f"executed on {devices}"
    return "not executed" if False in ran else "not shown by the rules selected"


def _fact(name: str, value: str) -> Html:
    return element("div", element("dt", name), element("dd", value))


def _bar(counts: dict[str, int]) -> Html:
    """Draw the shares of the verdicts as a bar, and list their numbers below it."""
    total, left, parts = sum(counts.values()) or 1, 0.0, []
    for word, count in counts.items():
        width = count / total * 100
        kind = _KINDS.get(word, "fair")
        parts.append(element("rect", x=f"{left:.2f}", y=0, width=f"{width:.2f}", height=8, class_=f"fill-{kind}"))
        left += width
    numbers = ", ".join(f"{count} {word}" for word, count in counts.items()) or "no rule was judged"
    drawn = element(
        "svg", *parts, viewBox="0 0 100 8", preserveAspectRatio="none", role="img", aria_label=numbers, class_="bar"
    )
    return joined((drawn, element("p", numbers, class_="counts")))
