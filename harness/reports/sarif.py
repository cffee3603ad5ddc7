"""Write the report as SARIF 2.1.0, which code hosts read to annotate pull requests and to track findings.

Only a defect is a result, because code hosts show every result as a finding. An expected failure is a suppressed
result. An item that could not be judged is a notification of the tool. An interruption is one, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from harness.contract.rule import Severity
from harness.contract.verdict import Verdict
from harness.reports.checkout import from_root
from harness.reports.gaps import gaps_of
from harness.reports.markup import fenced
from harness.reports.spot import spot_of
from harness.reports.story import paragraphs, story_of
from harness.results.defects import defects_of
from harness.results.module_rules import IMPORT, MODULE_RULES
from harness.results.report import NOT_SELECTED

if TYPE_CHECKING:
    from harness.results.defects import Defect
    from harness.results.report import Document

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_TOOL = "pytest-trt-conformance"
#: The name by which readers of SARIF know the root of the repository.
_ROOT = "%SRCROOT%"
#: The name of the fingerprint, with the version of its method.
_FINGERPRINT = "trtConformance/v1"


def render(document: Document) -> str:
    """Return a SARIF log of one run."""
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(document)]}
    return json.dumps(log, indent=1, allow_nan=False) + "\n"


def _run(document: Document) -> dict[str, Any]:
    ids = [*document["rules"], *dict.fromkeys(module.get("rule", IMPORT) for module in document["modules"])]
    rules = [_rule(document, rule) for rule in ids]
    indices = {rule["id"]: index for index, rule in enumerate(rules)}
    version = document["versions"].get(_TOOL, "")
    root = {_ROOT: {"uri": f"{_absolute(document['root'])}/"}} if document["root"] else {}
    return {
        "tool": {"driver": {"name": _TOOL, **({"version": version} if version else {}), "rules": rules}},
        "automationDetails": {"id": f"trt-conformance/tensorrt-{document['spec']}/"},
        "invocations": [_invocation(document)],
        "originalUriBaseIds": root,
        "results": [_result(document, defect, indices[defect.rule]) for defect in defects_of(document)],
    }


def _rule(document: Document, rule: str) -> dict[str, Any]:
    known: Mapping[str, Any] = document["rules"].get(rule, {})
    requirement = known["requirement"] if known else MODULE_RULES[rule].requirement
    reason = known.get("reason", "")
    facts = list(_facts(rule, known))
    plain = "\n".join(f"{name}: {text}" for name, text in facts)
    marked = "\n".join(f"* **{name}**: {text}" for name, text in facts)
    parts = [requirement, *([reason] if reason else [])]
    return {
        "id": rule,
        "shortDescription": {"text": requirement},
        "fullDescription": {"text": reason or requirement},
        "help": {"text": "\n\n".join([*parts, plain]), "markdown": "\n\n".join([*parts, marked])},
        "defaultConfiguration": {"level": _level(document, rule)},
        "properties": {"tags": ["tensorrt", known.get("family", rule)]},
    }


def _facts(rule: str, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not known:
        source = MODULE_RULES[rule].source
        yield "source", f"{source.document}, {source.section}"
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


def _result(document: Document, defect: Defect, index: int) -> dict[str, Any]:
    justification = {"kind": "external", "status": "accepted", "justification": defect.entry["reason"]}
    first, *others = paragraphs(document, defect)  # lists of code hosts show little more than the first line
    message = "\n".join([first, defect.title, *others])
    rows = "\n".join(f"{name:<11} {text}" for name, text in story_of(document, defect))
    level = _level(document, defect.rule) if defect.expected else "error"
    if defect.verdict in {Verdict.WARN.value, Verdict.NOT_RUN.value}:  # even if --plugin-fail-on makes it fail the run
        level = "warning"
    elif defect.verdict == Verdict.NOTE.value:
        level = "note"
    return {
        "ruleId": defect.rule,
        "ruleIndex": index,
        "level": level,
        "message": {"text": message, "markdown": f"**{defect.title}**\n\n{fenced(rows)}"},
        "locations": [_location(document, defect)],
        "partialFingerprints": {_FINGERPRINT: defect.identity},
        "suppressions": [justification] if defect.expected else [],
        **({"baselineState": "unchanged" if defect.known else "new"} if document.get("baseline") else {}),
        "properties": {
            "verdict": defect.verdict,
            "plugin": defect.subject,
            "cases": list(defect.cases),
            "fingerprint": defect.entry["fingerprint"],
        },
    }


def _level(document: Document, rule: str) -> str:
    """Return ``error``, ``warning`` or ``note`` for the rule's severity at the API level of the run."""
    known = document["rules"].get(rule)
    severity = Severity(known["severity"][document["spec"]]) if known else MODULE_RULES[rule].severity
    return "note" if severity is Severity.INFO else severity.value


def _location(document: Document, defect: Defect) -> dict[str, Any]:
    names = [{"fullyQualifiedName": sighting.id} for sighting in defect.seen]
    spot = spot_of(document, defect)
    if spot is None:
        return {"logicalLocations": names}
    inside = from_root(spot.file, document["root"])
    place = {"uri": quote(inside), "uriBaseId": _ROOT} if inside else {"uri": _absolute(spot.file)}
    regions = _regions(max(spot.line, 1), defect.entry.get("spot", {}))
    physical = {"artifactLocation": place, **regions}
    return {"physicalLocation": physical, "logicalLocations": names}


def _regions(line: int, spot: Mapping[str, Any]) -> dict[str, Any]:
    """Return the line as a region, with its code and the lines around it if the document has them."""
    code = dict(enumerate(spot.get("code", ()), spot.get("first", 0)))
    if line not in code:
        return {"region": {"startLine": line}}
    region = {"startLine": line, "snippet": {"text": code[line]}}
    context = {"startLine": min(code), "endLine": max(code), "snippet": {"text": "\n".join(code.values())}}
    return {
        "region": region,
        **({"contextRegion": context} if len(code) > 1 else {}),
    }  # SARIF: it must be larger than the region


def _absolute(path: str) -> str:
    return f"file://{quote(PurePosixPath(path).as_posix())}"
