"""What the tests of report formats share: a document made by hand, and what every format of any document must be."""

import copy
import json
import re
from pathlib import Path

import jsonschema
import pytest

from harness.config.report_targets import ReportFormat
from harness.reports import github, markdown
from harness.reports.writing import RENDERERS
from harness.results.report import Report, schema_text

SCHEMAS = Path(__file__).parents[1] / "data" / "schemas"
#: A workflow command of GitHub's on one line, in which nothing is left that would end a property.
COMMAND = re.compile(r"::(error|warning|notice) (?:file=[^,:]+,line=[1-9]\d*,)?title=[^,:]+::[^\r\n]+")


def rule(name, severity="error", **more):
    return {
        "id": name,
        "family": name.partition("-")[0],
        "requirement": f"What {name} requires.",
        "reason": "Why.",
        "severity": dict.fromkeys(("8.6", "10", "11"), severity),
        "level": 1,
        "drives": False,
        "interfaces": ["IPluginV2DynamicExt"],
        "requires": [],
        "owns": [],
        "explained_by": [],
        "source": {"document": "Guide", "section": "1", "versions": ["10"], "basis": "documented", "note": ""},
        **more,
    }


def violation(what, where="in_out[1:]"):
    told = {"expected": "one answer", "observed": "two answers", "fix": "Look at pos only.", "source": "Guide, 1"}
    return {"what": what, "where": where, **told}


def result(name, verdict="PASS", *violations, severity="error", **more):
    return {
        "id": name,
        "severity": severity,
        "verdict": verdict,
        "evidence": 3,
        "known": False,
        "device": "host",
        "broken": len(violations),
        "reason": "",
        "blocked_by": "",
        "fingerprint": "0123456789ab" if violations else "",
        "order_sensitive": False,
        "mishap": None,
        "violations": list(violations),
        "fails": verdict in {"FAIL", "XPASS"},
        **more,
    }


def plugin(*results, name="Bar", case="rows", verdict="FAILS", **more):
    file = "/repo/src/bar plugin.py"
    return {
        "key": f"/{name}/1",
        "id": f"conformance::/{name}/1::{case}",
        "case": case,
        "inferred": False,
        "spec": "10",
        "module": "bar",
        "interface": "IPluginV2DynamicExt",
        "creator": "BarCreator",
        "file": file,
        "line": 76,
        "methods": {"enqueue": {"file": file, "line": 51}, "supports_format_combination": {"file": file, "line": 42}},
        "verdict": verdict,
        "evidence": 12,
        "selected": 4,
        "total": 4,
        "kernels_executed": True,
        "stand_ins": [],
        "device": "host",
        "rules": list(results),
        **more,
    }


class Make:
    """Makes documents, and the entries that go into them."""

    rule, violation, result, plugin = map(staticmethod, (rule, violation, result, plugin))

    def __init__(self, skeleton):
        self._skeleton = skeleton

    def document(self, *plugins, **more):
        """A document about some plugins, with the facts of every rule in them."""
        made = copy.deepcopy(self._skeleton)
        seen = {(each["id"], each["severity"]) for entry in plugins for each in entry["rules"]}
        rules = {name: rule(name, severity) for name, severity in sorted(seen)}
        return {**made, "root": "/repo", "plugins": list(plugins), "rules": rules, **more}

    def usual(self):
        """One with every verdict that is told."""
        return self.document(
            self.plugin(
                self.result("FMT-001", "FAIL", self.violation("supports_format_combination looked past pos=0")),
                self.result("CFG-001", "WARN", self.violation("configure_plugin printed"), severity="warning"),
                self.result("ENQ-001", "XFAIL", self.violation("enqueue is slow"), reason="see issue 12"),
                self.result("FMT-002", "BLOCKED", reason="requires FMT-001, which failed", blocked_by="FMT-001"),
                self.result("FMT-003", "N/A", reason="it has no formats"),
                self.result("ENQ-002"),
            )
        )


@pytest.fixture
def make():
    """Where documents made by hand come from."""
    options = {
        **{name: [] for name in ("apps", "cases", "include", "exclude", "onnx", "onnx_dims")},
        **{name: [] for name in ("select", "ignore", "sanitizer")},
        "stubs": [],
        **dict.fromkeys(("setup", "expected_failures", "baseline", "fuzz_database"), ""),
        "benchmark_against": "",
        **dict.fromkeys(("fuzz_examples", "fuzz_time", "benchmark_fail")),
        "modules": ["bar"],
        "libraries": [],
        "level": 5,
        "spec": "10",
        "fail_on": "error",
        "device": "auto",
        "addresses": "opaque",
        "isolation": "process",
        "timeout": 20.0,
        "seed": 0,
        "seeds": [0, 1, 2],
        "runtime": "reference",
        "benchmark": False,
    }
    verdicts = ("PASS", "FAIL", "WARN", "NOTE", "N/A", "BLOCKED", "NOT-RUN", "XFAIL", "XPASS")
    return Make(
        {
            "schema": 1,
            "status": "complete",
            "versions": {"python": "3.11.7", "pytest-trt-conformance": "0.1.0"},
            "root": "",
            "level": 5,
            "seed": 0,
            "seeds": [0, 1, 2],
            "spec": "10",
            "options": options,
            "databases": [],
            "counts": dict.fromkeys(verdicts, 0),
            "modules": [],
            "rules": {},
            "plugins": [],
            "sources": [],
            "not_run": [],
            "internal_errors": [],
            "baseline": None,
        }
    )


@pytest.fixture(scope="session")
def report_validator():
    """The published schema of the JSON report, in the validator of the package jsonschema."""
    published = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(published)
    return jsonschema.Draft202012Validator(published)


@pytest.fixture(scope="session")
def sarif_validator():
    """The public schema of SARIF 2.1.0."""
    public = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text())
    return jsonschema.Draft4Validator(public, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


@pytest.fixture(scope="session")
def check_formats(report_validator, sarif_validator):
    """Render a document in every format, see that each is valid by its own tools, and return the texts by format."""

    def check(document):
        texts = {form: render(document) for form, render in RENDERERS.items()}
        for text in texts.values():
            text.encode("utf-8")
        stored = json.loads(texts[ReportFormat.JSON], parse_constant=_refuse)
        assert [error.message for error in report_validator.iter_errors(stored)] == []
        assert Report.from_plain(stored).to_plain() == stored
        log = json.loads(texts[ReportFormat.SARIF], parse_constant=_refuse)
        assert [(list(error.path), error.message) for error in sarif_validator.iter_errors(log)] == []
        assert len(texts[ReportFormat.MARKDOWN].encode()) <= markdown.COMMENT
        lines = texts[ReportFormat.GITHUB].split("\n")[:-1]
        assert all(COMMAND.fullmatch(line) for line in lines)
        assert all(len(line) < 4 * github.LONGEST_MESSAGE for line in lines)
        return texts

    return check


def _refuse(constant):
    raise AssertionError(f"{constant} is no JSON")
