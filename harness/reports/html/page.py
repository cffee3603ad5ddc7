"""Put the page together: one file that requests no other file.

A content security policy allows the browser only the page's own style sheet and script. It names both by their digests,
so that injected markup can do no harm. Without JavaScript all text is visible: the script only filters and sorts.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict
from harness.contract.wording import counted
from harness.reports.html.drawing import by_case
from harness.reports.html.formats import format_grid
from harness.reports.html.kills import kills
from harness.reports.html.latency import latencies
from harness.reports.html.library import FEW, library
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.rules import rules
from harness.reports.html.shapes import shapes_tried
from harness.reports.html.subjects import case_title, plugins_of
from harness.reports.html.summary import headline, summary
from harness.reports.html.surroundings import environment, left_out, not_run
from harness.reports.html.timeline import timeline
from harness.reports.html.violations import violations
from harness.results.defects import defects_of
from harness.results.tally import Standing

if TYPE_CHECKING:
    from harness.results.defects import Defect
    from harness.results.report import Document

_TITLE = "TensorRT plugin conformance"
#: The most cases for which one kind of picture is drawn.
_MOST_DRAWN = 12


def render(document: Document) -> str:
    """Return the page of a document; a document with the appendix also shows traces, latencies and witnesses."""
    parts = list(_parts(document))
    links = (element("li", element("a", title, href=f"#{name}")) for name, title, _ in parts)
    version = document["versions"].get("pytest-trt-conformance", "")
    footer = f"pytest-trt-conformance {version}. It needs only this file, and opens no connection."
    body = element(
        "body",
        element("header", element("h1", _TITLE), headline(document, plugins_of(document)), class_="top"),
        element("nav", element("ul", *links), aria_label="Sections"),
        element("main", *(element("section", element("h2", title), part, id=name) for name, title, part in parts)),
        element("footer", footer),
        element("script", Html(_asset("script.js"))),
    )
    return f'<!DOCTYPE html>\n<html lang="en">\n{_head(document)}\n{body}\n</html>\n'


def _head(document: Document) -> Html:
    digests = (hashlib.sha256(_asset(name).encode()).digest() for name in ("style.css", "script.js"))
    style, script = (f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    policy = f"default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'"
    names = ", ".join(dict.fromkeys(entry["key"] for entry in document["plugins"]))
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{_TITLE}: {names}" if names else _TITLE),
        element("style", Html(_asset("style.css"))),
    )


def _parts(document: Document) -> Iterator[tuple[str, str, Html]]:
    """Yield the sections: name, title and content."""
    plugins = plugins_of(document)
    defects = [defect for defect in defects_of(document) if not defect.expected]
    yield "summary", "Summary", summary(document, plugins)
    if len(plugins) > FEW:
        yield "library", "Library", library(document, plugins)
    yield "violations", _title_of(defects), violations(document, defects)
    if remarks := document.get("left_out"):
        yield "left-out", f"What the verdicts leave out ({len(remarks)})", left_out(document)
    yield "rules", "Rules", rules(document, plugins)
    yield "formats", "Formats", _of_cases(document, "formats", format_grid, "no rule asked about formats")
    yield "shapes", "Shapes", _of_cases(document, "shapes", shapes_tried, "no rule executed the plugin")
    if document.get("traces"):
        yield "lifecycle", "Lifecycle", _timelines(document)
    if any(document.get("latencies", {}).values()):
        yield "latencies", "Latencies", latencies(document)
    yield "kills", "How do you know that a rule can fail?", kills(document)
    yield (
        "not-run",
        f"Not judged ({len(document['not_run'])})" if document["not_run"] else "Not judged",
        not_run(document),
    )
    yield "environment", "Environment", environment(document)


def _title_of(defects: Sequence[Defect]) -> str:
    """Return the title of the section on defects, with the numbers of violations and notes."""
    notes = sum(defect.verdict == Verdict.NOTE.value for defect in defects)
    if notes == len(defects):
        return f"Notes ({notes})" if notes else "Violations"
    return f"Violations ({len(defects) - notes}){f', notes ({notes})' if notes else ''}"


def _of_cases(document: Document, name: str, draw: Callable[[Any], Html], lacking: str) -> Html:
    """Return a picture for each case that has data, up to a limit, and name the cases left out."""
    cases = _drawn_first(document, [case["id"] for case in document["plugins"] if case.get(name)])
    data = {case["id"]: case.get(name) for case in document["plugins"]}
    missing = sum(not each for each in data.values())
    sentence = f"On {counted(missing, 'case')} {lacking}." if cases else f"Nothing to draw: {lacking}."
    pictures = ((case_title(case), draw(data[case])) for case in cases[:_MOST_DRAWN])
    return joined((element("p", sentence) if missing or not cases else None, by_case(pictures), _left_out(cases)))


def _drawn_first(document: Document, cases: Sequence[str]) -> list[str]:
    """Return cases in their order; if there are more than the page draws, cases that fail come first."""
    failing = {case["id"] for case in document["plugins"] if case["verdict"] == Standing.FAILS.value}
    return sorted(cases, key=lambda case: case not in failing) if len(cases) > _MOST_DRAWN else list(cases)


def _left_out(cases: Sequence[str]) -> Html | None:
    if len(cases) <= _MOST_DRAWN:
        return None
    left = counted(len(cases) - _MOST_DRAWN, "more case")
    sentence = f"{left} not drawn here, so that the page opens quickly; --plugin-include chooses plugins for a page."
    return element("p", sentence, class_="quiet-text")


def _timelines(document: Document) -> Html:
    lead = (
        "The calls of the plugin in one run of the reference runtime: build, plan, engine and two contexts. "
        "Time runs down, and a row is a call. An arc leads to an object from its creator. "
        "A hollow dot is a callback that the plugin does not override. "
        "The same trace opens in ui.perfetto.dev: --plugin-report=perfetto:trace.json."
    )
    traces = document["traces"]
    cases = _drawn_first(document, list(traces))
    pictures = ((case_title(case), timeline(traces[case])) for case in cases[:_MOST_DRAWN])
    return joined((element("p", lead), by_case(pictures), _left_out(cases)))


@functools.cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
