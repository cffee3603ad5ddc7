"""The report as SARIF 2.1.0, which code hosts read to annotate pull requests and to keep track of findings.

Only what is wrong is a result: a reader takes every result for a finding. An expected failure is one that is
suppressed. What could not be judged is a notification of the tool, and so is an interruption.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from harness.contract.verdict import Verdict
from harness.reports.causes import causes_of, gaps_of, requirement_of, severity_of
from harness.reports.checkout import from_root
from harness.reports.document import NOT_SELECTED
from harness.reports.markup import fenced
from harness.reports.story import lines_of, story_of
from harness.results.run_plan import IMPORT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.reports.causes import Cause, Spot
    from harness.reports.document import Document

__all__ = ["render"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_TOOL = "pytest-trt-conformance"
#: What readers know as the root of the repository.
_ROOT = "%SRCROOT%"
#: The name of our fingerprint, with the version of how it is made.
_FINGERPRINT = "trtConformance/v1"


def render(document: Document) -> str:
    """Return a SARIF log of one run."""
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(document)]}
    return json.dumps(log, indent=1, allow_nan=False) + "\n"


def _run(document: Document) -> dict[str, Any]:
    rules = [_rule(document, rule) for rule in _rule_ids(document)]
    indices = {rule["id"]: index for index, rule in enumerate(rules)}
    version = document["versions"].get(_TOOL, "")
    root = {_ROOT: {"uri": f"{_absolute(document['root'])}/"}} if document["root"] else {}
    return {
        "tool": {"driver": {"name": _TOOL, **({"version": version} if version else {}), "rules": rules}},
        "automationDetails": {"id": f"trt-conformance/tensorrt-{document['spec']}/"},
        "invocations": [_invocation(document)],
        "originalUriBaseIds": root,
        "results": [_result(document, cause, indices[cause.rule]) for cause in causes_of(document)],
    }


def _rule_ids(document: Document) -> list[str]:
    return [*document["rules"], *([IMPORT] if document["modules"] else [])]


def _rule(document: Document, rule: str) -> dict[str, Any]:
    known: Mapping[str, Any] = document["rules"].get(rule, {})
    requirement = requirement_of(document, rule)
    reason = known.get("reason", "")
    facts = list(_facts(rule, known))
    plain = "\n".join(f"{name}: {told}" for name, told in facts)
    marked = "\n".join(f"* **{name}**: {told}" for name, told in facts)
    parts = [requirement, *([reason] if reason else [])]
    return {
        "id": rule,
        "shortDescription": {"text": requirement},
        "fullDescription": {"text": reason or requirement},
        "help": {"text": "\n\n".join([*parts, plain]), "markdown": "\n\n".join([*parts, marked])},
        "defaultConfiguration": {"level": severity_of(document, rule)},
        "properties": {"tags": ["tensorrt", known.get("family", IMPORT)]},
    }


def _facts(rule: str, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not known:
        yield "source", "The Python Language Reference, 5. The import system"
        return
    source = known["source"]
    yield "source", f"{source['document']}, {source['section']} (TensorRT {', '.join(source['versions'])})"
    if source["note"]:
        yield "note", source["note"]
    yield "interfaces", ", ".join(known["interfaces"])
    yield "more", f"trt-conformance explain {rule}"


def _invocation(document: Document) -> dict[str, Any]:
    gaps = [{"level": "error", "message": {"text": gap}} for gap in gaps_of(document)]
    lacking: dict[str, list[str]] = {}
    for entry in document["not_run"]:
        if entry["reason"] != NOT_SELECTED:
            lacking.setdefault(entry["reason"], []).append(entry["id"])
    notes = [
        {"level": "note", "message": {"text": f"not judged, {reason}: {', '.join(ids)}"}}
        for reason, ids in lacking.items()
    ]
    whole = document["status"] == "complete" and not document["internal_errors"]
    return {"executionSuccessful": whole, "toolExecutionNotifications": [*gaps, *notes]}


def _result(document: Document, cause: Cause, index: int) -> dict[str, Any]:
    suppressed = cause.verdict == Verdict.XFAIL.value
    justification = {"kind": "external", "status": "accepted", "justification": cause.result["reason"]}
    return {
        "ruleId": cause.rule,
        "ruleIndex": index,
        "level": _level(document, cause),
        "message": {"text": _message(cause), "markdown": _marked(cause)},
        "locations": [_location(document, cause)],
        "partialFingerprints": {_FINGERPRINT: cause.identity},
        "suppressions": [justification] if suppressed else [],
        **({"baselineState": "unchanged" if cause.known else "new"} if document.get("baseline") else {}),
        "properties": {
            "verdict": cause.verdict,
            "plugin": cause.subject,
            "cases": list(cause.cases),
            "fingerprint": cause.result["fingerprint"],
        },
    }


def _level(document: Document, cause: Cause) -> str:
    """WARN is a warning even where the user lets it fail the run."""
    if cause.verdict in {Verdict.WARN.value, Verdict.NOT_RUN.value}:
        return "warning"
    return severity_of(document, cause.rule) if cause.verdict == Verdict.XFAIL.value else "error"


def _heading(cause: Cause) -> str:
    cases = f" on {', '.join(cause.cases)}" if cause.cases else ""
    return f"{cause.rule} {cause.word}, {cause.subject}{cases}"


def _message(cause: Cause) -> str:
    """Tell what happened first: code hosts show little more in a list."""
    first, *others = lines_of(cause)
    return "\n".join([first, _heading(cause), *others])


def _marked(cause: Cause) -> str:
    rows = "\n".join(f"{name:<11} {told}" for name, told in story_of(cause))
    return f"**{_heading(cause)}**\n\n{fenced(rows)}"


def _location(document: Document, cause: Cause) -> dict[str, Any]:
    names = [{"fullyQualifiedName": nodeid} for nodeid in cause.ids]
    if cause.spot is None:
        return {"logicalLocations": names}
    return {"physicalLocation": _physical(document["root"], cause.spot), "logicalLocations": names}


def _physical(root: str, spot: Spot) -> dict[str, Any]:
    inside = from_root(spot.file, root)
    place = {"uri": quote(inside), "uriBaseId": _ROOT} if inside else {"uri": _absolute(spot.file)}
    return {"artifactLocation": place, "region": {"startLine": max(spot.line, 1)}}


def _absolute(path: str) -> str:
    return f"file://{quote(PurePosixPath(path).as_posix())}"
