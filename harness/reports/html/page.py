"""Puts the page together: one file, which asks for nothing else, and may not.

A content security policy forbids whatever is not in the page, and names the one style sheet and the one script by
their digests: markup that found its way in could do nothing. Without JavaScript all there is to read is there; the
script only filters.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness.reports.html.kills import kills
from harness.reports.html.latency import latencies
from harness.reports.html.markup import Html, element, joined
from harness.reports.html.rules import rules
from harness.reports.html.subjects import plugins_of
from harness.reports.html.summary import headline, summary
from harness.reports.html.surroundings import environment, not_run
from harness.reports.html.timeline import timeline
from harness.reports.html.violations import violations
from harness.results.defects import defects_of

if TYPE_CHECKING:
    from harness.results.report import Document

_TITLE = "TensorRT plugin conformance"


def render(document: Document) -> str:
    """Return the page of a document; with the appendix it has traces, latencies and witnesses too."""
    parts = list(_parts(document))
    links = (element("li", element("a", title, href=f"#{name}")) for name, title, _ in parts)
    version = document["versions"].get("pytest-trt-conformance", "")
    footer = f"pytest-trt-conformance {version}. It needs nothing but this file, and asks nobody for anything."
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
    yield "violations", f"Violations ({len(defects)})" if defects else "Violations", violations(document, defects)
    yield "rules", "Rules", rules(document, plugins)
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


def _timelines(document: Document) -> Html:
    lead = (
        "What TensorRT asks of the plugin in one drive through build, plan, engine and two contexts, as the reference "
        "runtime makes it. Time runs down, an object has a lane, an arc leads to an object from what made it; a hollow "
        "dot is a callback that the plugin does not override. The same trace opens in ui.perfetto.dev: "
        "--plugin-report=perfetto:trace.json."
    )
    parts = [element("p", lead)]
    for number, (name, trace) in enumerate(document["traces"].items()):
        title = name.removeprefix("conformance::").removesuffix("::").replace("::", " · ")
        parts.append(element("details", element("summary", element("h3", title)), timeline(trace), open=number == 0))
    return joined(parts)


@functools.cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
