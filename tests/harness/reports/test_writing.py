"""Reports are written as a whole, and the JSON report has the form that other tools may rely on."""

import json

from harness.options import ReportFormat, ReportTarget
from harness.reports import writing

pytest_plugins = ["pytester"]

PLUGIN = """
PLUGINS = {'/Bar/1': [case('a'), case('b', inferred=True)]}
def enq_002(): return 'the sum is wrong'
def cfg_001(): return not_run('needs a GPU')
def fmt_001(): return not_applicable('it has no formats')
"""


def report(certify, pytester, *arguments, **more):
    certify("--plugin-report=json:out/report.json", *arguments, **more)
    return json.loads((pytester.path / "out" / "report.json").read_text())


def test_plugins_cases_rules_and_violations_are_told(certify, pytester):
    told = report(certify, pytester, plugin=PLUGIN)
    assert (told["schema"], told["seed"], told["modules"]) == (1, 0, [])
    assert [(entry["key"], entry["case"], entry["inferred"], entry["verdict"]) for entry in told["plugins"]] == [
        ("/Bar/1", "a", False, "FAILS"),
        ("/Bar/1", "b", True, "FAILS"),
    ]
    rules = {rule["id"]: rule for rule in told["plugins"][0]["rules"]}
    assert {key: rules["ENQ-002"][key] for key in ("severity", "verdict", "evidence")} == {
        "severity": "error",
        "verdict": "FAIL",
        "evidence": 2,
    }
    (violation,) = rules["ENQ-002"]["violations"]
    assert set(violation) == {"what", "where", "expected", "observed", "fix", "source"}
    assert rules["FMT-001"]["reason"] == "it has no formats"


def test_verdicts_are_counted_and_what_did_not_run_is_listed(certify, pytester):
    told = report(certify, pytester, "--deselect=conformance::/Bar/1::b", plugin=PLUGIN)
    assert {verdict: count for verdict, count in told["counts"].items() if count} == {
        "PASS": 2,
        "FAIL": 1,
        "N/A": 1,
        "NOT-RUN": 1,
    }
    assert told["not_run"][0] == {"id": "conformance::/Bar/1::a::CFG-001", "reason": "needs a GPU"}
    assert {"id": "conformance::/Bar/1::b::CFG-001", "reason": "not selected"} in told["not_run"]


def test_modules_without_plugins_are_told(certify, pytester):
    pytester.makepyfile(dies="import os\nos.abort()")
    (module,) = report(certify, pytester, modules=("dies",))["modules"]
    assert (module["module"], module["verdict"]) == ("dies", "FAIL")
    assert module["violations"][0]["what"] == "import died by SIGABRT"
    assert module["mishap"]["callback"] == "import"


def test_the_same_run_gives_the_same_bytes_and_leaves_nothing_else(certify, pytester):
    first = report(certify, pytester, plugin=PLUGIN)
    assert report(certify, pytester, plugin=PLUGIN) == first
    assert [path.name for path in (pytester.path / "out").iterdir()] == ["report.json"]


def test_a_report_that_cannot_be_written_fails_the_run_and_is_told(certify, pytester):
    (pytester.path / "out").write_text("a file where a folder should be")
    result = certify("--plugin-report=json:out/report.json")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["the report */out/report.json could not be written: *"])


def test_listing_items_writes_no_report(certify, pytester):
    certify("--collect-only", "--plugin-report=json:report.json")
    assert not (pytester.path / "report.json").exists()


def test_the_appendix_is_asked_for_once_and_when_the_other_reports_are_there(tmp_path, monkeypatch):
    names = ("perfetto", "json", "html")
    renderers = {ReportFormat(name): lambda document: " ".join(sorted(document)) for name in names}
    monkeypatch.setattr(writing, "RENDERERS", renderers)
    seen = []

    def appendix():
        seen.append(sorted(path.name for path in tmp_path.iterdir()))
        return {"traces": {}}

    targets = [ReportTarget(ReportFormat(name), tmp_path / name) for name in names]
    assert writing.write(targets, {"schema": 1}, appendix) == []
    assert seen == [["json"]]
    assert {name: (tmp_path / name).read_text() for name in names} == {
        "perfetto": "schema traces",
        "json": "schema",
        "html": "schema traces",
    }
