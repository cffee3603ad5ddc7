"""Write the report as Markdown, for pull requests and job summaries: a table, then each cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict
from harness.contract.wording import counted, named
from harness.reports.checkout import from_root
from harness.reports.gaps import gaps_of, vanished_of
from harness.reports.markup import code, fenced
from harness.reports.spot import spot_of
from harness.reports.story import story_of
from harness.results.defects import defects_of
from harness.results.report import plugin_verdict
from harness.results.tally import Standing

if TYPE_CHECKING:
    from harness.results.defects import Defect
    from harness.results.report import Document

#: The length of a comment that GitHub accepts, in characters. Here it limits bytes, which are never fewer.
COMMENT = 65_536
#: The most characters of one part of a defect, so that a long stack leaves room for other defects.
_PART = 3_000
_BAD = {Standing.FAILS.value, Standing.INCOMPLETE.value}
#: The words for the numbers of verdicts in the table, in this order.
_COUNTED = (
    (Verdict.FAIL, "failed"),
    (Verdict.XPASS, "passed unexpectedly"),
    (Verdict.WARN, "WARN"),
    (Verdict.NOTE, "NOTE"),
    (Verdict.XFAIL, "expected to fail"),
    (Verdict.BLOCKED, "BLOCKED"),
    (Verdict.NOT_RUN, "NOT-RUN"),
    (Verdict.PASS, "passed"),
    (Verdict.NOT_APPLICABLE, "N/A"),
)


def render(document: Document) -> str:
    """Return the report, short enough for a comment; a note says how much was left out."""
    return rendered(document, COMMENT)


def rendered(document: Document, most: int) -> str:
    """Return the report in at most ``most`` bytes of UTF-8; it is cut between rows and between causes."""
    rows = list(_rows(document))
    causes = [_defect(document, defect) for defect in defects_of(document)]
    seeds = ", ".join(map(str, document["seeds"]))
    version = document["versions"].get("pytest-trt-conformance", "")
    by = f", by pytest-trt-conformance {version}" if version else ""
    how = f"TensorRT {document['spec']}, level {document['level']}, seeds {seeds}{by}"
    head = f"## TensorRT plugin conformance: {_verdict(document)}\n\n{how}\n"
    gaps = "".join(f"\n* {code(_clipped(gap))}" for gap in [*gaps_of(document), *_left_out(document)][:20])
    table = ["\n| plugin | case | verdict | rules | evaluations |\n|---|---|---|---|---|\n"] if rows else []
    room = most - _size(head) - _size(gaps) - 200  # 200 bytes for the note on omissions
    shown = _fitting([*table, *rows], room - min(_size("".join(causes)), room // 2))
    fitting = _fitting(causes, room - _size("".join(shown)))
    fewer = (len(rows) - max(0, len(shown) - 1), "row", " of the table"), (len(causes) - len(fitting), "cause", "")
    left = [f"{counted(number, noun)}{of}" for number, noun, of in fewer if number > 0]
    note = f"\n{' and '.join(left)} left out because of their length: the JSON report has all.\n" if left else ""
    return "".join([head, gaps, "\n" if gaps else "", *shown, *fitting, note])


def _left_out(document: Document) -> Iterator[str]:
    """Yield the remarks on what the verdicts leave out, which are no failures."""
    return (f"leaves out: {remark.removeprefix('conformance::')}" for remark in document.get("left_out") or ())


def _verdict(document: Document) -> str:
    """Return the outcome of the whole run in a few words."""
    standings: dict[str, list[str]] = {}
    for plugin in document["plugins"]:
        standings.setdefault(plugin["id"].split("::")[1], []).append(plugin_verdict(plugin))
    bad = sum(any(verdict in _BAD for verdict in verdicts) for verdicts in standings.values())
    missing = len(document["modules"]) + len(vanished_of(document))
    bad += missing
    all_in_all = len(standings) + missing
    if bad:
        return f"{bad} of {counted(all_in_all, 'plugin')} not certified"
    if document["status"] != "complete":
        return "interrupted"
    verdicts = sorted({verdict for of_plugin in standings.values() for verdict in of_plugin})
    return f"{counted(all_in_all, 'plugin')}, {'; '.join(verdicts)}" if verdicts else "no rule was judged"


def _rows(document: Document) -> Iterator[str]:
    for module in document["modules"]:
        yield f"| {code(module['module'])} | | **{module['verdict']}** | the module itself | |\n"
    for plugin in document["plugins"]:
        name = code(plugin["id"].split("::")[1])
        verdict = f"**{plugin['verdict']}**" if plugin["verdict"] in _BAD else plugin["verdict"]
        counts = ", ".join(_counts(plugin["rules"])) or "none"
        yield f"| {name} | {code(plugin['case'])} | {verdict} | {counts} | {plugin['evidence']:,} |\n"


def _counts(results: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    by_verdict: dict[str, set[str]] = {}
    for result in results:
        by_verdict.setdefault(result["verdict"], set()).add(result["id"])
    for verdict, words in _COUNTED:
        rules = sorted(by_verdict.get(verdict.value, ()))
        if rules:
            names = "" if verdict in {Verdict.PASS, Verdict.NOT_APPLICABLE} else f" ({named(rules, most=4)})"
            yield f"{len(rules)} {words}{names}"


def _defect(document: Document, defect: Defect) -> str:
    on = f" on {', '.join(map(code, defect.cases))}" if defect.cases else ""
    parts = [(name, _clipped(text)) for name, text in story_of(document, defect)]
    commands = "".join(f"\n\n{fenced(text)}" for name, text in parts if name == "replay")
    rows = [(name, text) for name, text in parts if name != "replay"]
    width = max(map(len, dict(rows)), default=0)
    margin = "\n" + " " * (width + 2)
    lines = "\n".join(f"{name:<{width}}  " + text.replace("\n", margin) for name, text in rows)
    place, spot = "", spot_of(document, defect)
    if spot is not None:
        file = from_root(spot.file, document["root"]) or spot.file
        place = f" · {code(f'{file}:{spot.line}' if spot.line else file)}"
    return (
        f"\n### {defect.heading}\n\n"
        f"**{defect.word}** · {code(defect.subject)}{on}{place}\n\n{fenced(lines)}{commands}\n"
    )


def _clipped(text: str) -> str:
    return text if len(text) <= _PART else f"{text[:_PART]} ... (cut; the JSON report has more)"


def _fitting(blocks: Sequence[str], room: int) -> list[str]:
    """Return the first blocks, as many as fit into ``room`` bytes."""
    fitting, used = [], 0
    for block in blocks:
        used += _size(block)
        if used > room:
            break
        fitting.append(block)
    return fitting


def _size(text: str) -> int:
    return len(text.encode("utf-8", errors="backslashreplace"))
