"""A small document as ``reports.document`` makes it, to be changed by tests."""

import copy
import xml.etree.ElementTree as ET

from tests.harness.controller.tracing.test_read import call, end, move, traced


def parsed(markup):
    """Return markup as a tree; it has to be well formed."""
    return ET.fromstring(f"<div>{markup}</div>")  # noqa: S314 - ours


def marks(markup, kind):
    """Return what the marks of a kind in a picture say when a reader points at them."""
    tree = parsed(markup)
    parents = {child: parent for parent in tree.iter() for child in parent}
    found = [each for each in tree.iter() if each.get("class") == f"mark {kind}"]
    told = [each.findtext("title") or parents[each].findtext("title") for each in found]
    return [each for each in told if each]  # those of a legend say nothing


ID = "conformance::/Bar/1::rows"


def rule(name="FMT-001", verdict="PASS", **more):
    told = {"broken": 0, "reason": "", "blocked_by": "", "fingerprint": "", "order_sensitive": False, "mishap": None}
    usual = {"severity": "error", "evidence": 3, "device": "host", "violations": [], "fails": verdict == "FAIL", **told}
    return {"id": name, "verdict": verdict, **usual, **more}


def violation(what="it looked past pos", **more):
    return {"what": what, "where": "in_out[1:]", "expected": "one answer", "observed": "two answers",
            "fix": "Look at pos only.", "source": "the guide", **more}  # fmt: skip


def failing(name="FMT-001", *violations, **more):
    found = list(violations or [violation()])
    told = {"broken": len(found), "violations": found, "fingerprint": "abc", **more}
    return rule(name, "FAIL", **told)


def case(*rules, label="/Bar/1", name="rows", **more):
    usual = {
        "key": label,
        "id": f"conformance::{label}::{name}",
        "case": name,
        "inferred": False,
        "spec": "10",
        "module": "my_plugin",
        "interface": "IPluginV3",
        "creator": "BarCreator",
        "file": "my_plugin.py",
        "line": 7,
        "methods": {},
        "verdict": "FAILS" if any(each["verdict"] == "FAIL" for each in rules) else "CONFORMS",
        "evidence": sum(each["evidence"] for each in rules),
        "selected": len(rules),
        "total": len(rules),
        "kernels_executed": True,
        "stand_ins": [],
        "device": "host",
        "rules": list(rules),
    }
    return {**usual, **more}


def facts(name):
    source = {"document": "the guide", "section": "formats", "versions": ["10"], "basis": "documented", "note": ""}
    return {"id": name, "family": name[:3], "requirement": f"what {name} wants.", "reason": "why it does.",
            "severity": {"10": "error"}, "level": 5, "owns": [], "source": source}  # fmt: skip


def document(*cases, **more):
    cases = cases or (case(rule()),)
    ids = dict.fromkeys(each["id"] for entry in cases for each in entry["rules"])
    usual = {
        "schema": 1,
        "status": "complete",
        "root": "",
        "versions": {"python": "3.11", "pytest-trt-conformance": "0.1.0"},
        "level": 5,
        "seed": 0,
        "seeds": [0, 1, 2],
        "spec": "10",
        "options": OPTIONS,
        "databases": [],
        "modules": [],
        "sources": [],
        "rules": {name: facts(name) for name in ids},
        "plugins": list(cases),
        "not_run": [],
        "internal_errors": [],
    }
    return copy.deepcopy({**usual, **more})


OPTIONS = {
    "modules": ["my_plugin"], "apps": [], "cases": [], "setup": "", "onnx": [], "onnx_dims": [], "level": 5,
    "spec": "10", "device": "auto", "addresses": "opaque", "isolation": "process", "timeout": 20.0, "seed": 0,
    "seeds": [0, 1, 2], "fuzz_examples": None, "sanitizer": [],
}  # fmt: skip


def trace(*records, status="complete", note=""):
    """A plugin that is made, cloned and destroyed, unless the test says what happens."""
    life = (
        call(1, "Creator#1", "create_plugin"),
        end(1, value="P#1", made=True),
        call(2, method="clone"),
        end(2, value="P#2", made=True),
        *(each for number in (3, 4, 5) for each in (call(number, "P#2", "supports_format_combination"), end(number))),
        move("created", "destroyed", "destroy", "P#2"),
        call(6, "P#2", "destroy"),
        end(6),
        {"is": "step", "number": 1, "at": 150, "thread": 7, "object": "builder 1", "method": "build", "arguments": []},
        {"is": "done", "number": 1, "duration": 400, "error": ""},
    )
    return {"status": status, "note": note, **traced(*(records or life))}


def appendix(**more):
    """What some formats show beside the document."""
    usual = {"traces": {ID: trace()}, "latencies": {"measured": [], "compared": []}, "witnesses": []}
    return {**usual, **more}
