"""Reports are written as a whole, and the JSON report has the form that other tools may rely on."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from harness.config.report_targets import STDOUT, ReportFormat, ReportTarget
from harness.reports import writing

HOME = Path(__file__).parents[3]

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


def test_plugins_cases_rules_and_violations_are_told(section):
    told = json.loads(writing.RENDERERS[ReportFormat.JSON](section(plugin=PLUGIN).document))
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
    pytester.makepyfile(in_the_way="def pytest_runtest_logfinish(): open('out', 'w').close()")
    result = certify("--plugin-report=json:out/report.json", "-p", "in_the_way")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["the report */out/report.json could not be written: *"])


def test_what_can_never_be_written_is_told_before_anything_runs(certify, pytester):
    (pytester.path / "out").write_text("a file where a folder should be")
    result = certify("--plugin-report=json:out/report.json")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["ERROR: --plugin-report=json:out/report.json: */out is no folder, so there can be no *"]
    )


def test_listing_items_writes_no_report(certify, pytester):
    certify("--collect-only", "--plugin-report=json:report.json")
    assert not (pytester.path / "report.json").exists()


FAULTY = """
from harness.config.report_targets import ReportFormat
from harness.reports import writing

def render(document):
    raise ValueError("two\\nlines")

writing.RENDERERS = {**writing.RENDERERS, ReportFormat.SARIF: render}
"""


def test_a_fault_of_one_format_costs_no_other_report_and_is_an_internal_error(certify, pytester):
    pytester.makepyfile(faulty=FAULTY)
    targets = ("sarif:a.sarif", "json:report.json", "markdown:report.md")
    result = certify("-p", "faulty", *(f"--plugin-report={target}" for target in targets), plugin=PLUGIN)
    assert result.ret == 3
    told = [line for line in result.outlines if "failed by itself" in line]
    assert told == ["the sarif report failed by itself; please report this: ValueError: two lines (faulty.py:5)"]
    result.stdout.fnmatch_lines(["FAILS · /Bar/1 *"])
    assert sorted(path.name for path in pytester.path.glob("*.*") if "report" in path.name) == [
        "report.json",
        "report.md",
    ]
    assert not (pytester.path / "a.sarif").exists()


def test_annotations_are_shown_at_the_end_and_the_job_summary_keeps_what_it_has(certify, pytester, monkeypatch):
    summary = pytester.path / "summary.md"
    summary.write_text("what an earlier command of the step said")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    result = certify("--plugin-report=github:-", plugin=PLUGIN)
    assert result.ret == 1
    (annotation,) = [line for line in result.outlines if line.startswith("::")]
    assert annotation.startswith("::error file=my_plugin.py,line=3,title=ENQ-002 FAIL%2C /Bar/1 on a%2C b::")
    before, _, ours = summary.read_text().partition("\n\n")
    assert before == "what an earlier command of the step said"
    assert ours.startswith("## TensorRT plugin conformance: 1 of 1 plugin not certified\n")


def test_annotations_in_a_file_leave_the_job_summary_alone(certify, pytester, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "summary.md"))
    result = certify("--plugin-report=github:annotations.txt", plugin=PLUGIN)
    assert (pytester.path / "annotations.txt").read_text().startswith("::error ")
    assert not (pytester.path / "summary.md").exists()
    assert "::error" not in result.stdout.str()


@pytest.mark.nightly
def test_workers_change_no_byte_of_any_report(certify, pytester):
    def reports(*arguments):
        forms = [form for form in writing.RENDERERS if form not in writing.WITH_APPENDIX]  # that one holds times
        targets = [f"--plugin-report={form.value}:{form.value}.txt" for form in forms]
        certify(*targets, *arguments, plugin=PLUGIN)
        return {form: (pytester.path / f"{form.value}.txt").read_bytes() for form in forms}

    assert reports("-p", "xdist", "-n", "2") == reports()


NASTY = """
import math
from harness.contract.verdict import Drawn
TEXT = 'a\\x00\\x1b[31m\\x7f\\udc80\\ufffe\\u202e]]>&<|`%%::error::\\r\\n```' + 'x' * 100_000
PLUGINS = {'/Bar/1': [case('a')]}
def violate(where):
    return Violation(TEXT, where=where, expected=TEXT, observed=TEXT, fix=TEXT)
def fmt_001():
    return Answer(Kind.JUDGED, evidence=9, broken=9, violations=tuple(violate(str(n) + TEXT) for n in range(5)))
def cfg_001(): return not_run(TEXT)
def enq_001():
    mishap = CallbackFailure('enqueue', TEXT, where=TEXT, becomes=TEXT, stack=TEXT, calls=(TEXT,) * 9)
    return Answer(Kind.MET, mishap=mishap)
"""


def test_whatever_a_plugin_says_every_format_stays_valid(certify, pytester, check_formats, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:backslashreplace")  # pytester reads what the terminal shows
    targets = [f"--plugin-report={form.value}:{form.value}.txt" for form in writing.RENDERERS]
    result = certify(*targets, "--plugin-report=github:-", "--junitxml=junit.xml", plugin=NASTY)
    assert result.ret == 1
    document = json.loads((pytester.path / "json.txt").read_text())
    rules = {rule["id"]: rule["verdict"] for rule in document["plugins"][0]["rules"]}
    assert (rules["FMT-001"], rules["CFG-001"], rules["ENQ-001"]) == ("FAIL", "NOT-RUN", "FAIL")
    document["plugins"][0]["rules"][0]["examples"] = [float("nan")]
    with pytest.raises(ValueError, match="nan"):
        check_formats(document)
    document["plugins"][0]["rules"][0]["examples"] = ["NaN", {"program": 7}]
    texts = check_formats(document)
    for form in writing.RENDERERS:
        text = (pytester.path / f"{form.value}.txt").read_text(encoding="utf-8")
        assert not set(text) & set("\x00\x1b\x7f\udc80\ufffe\u202e\r")
    assert "a\\\\x00\\\\x1b[31m" in texts[ReportFormat.JSON]
    ET.parse(pytester.path / "junit.xml")  # noqa: S314 - our own


#: Kills itself with -9 before the n-th line of what writes, for every n, and tells what is there then.
KILLED = """
import json, os, signal, sys
from pathlib import Path
from harness.reports import writing

report, is_unnamed = Path(sys.argv[1]), sys.argv[2] == "unnamed"
os_open = os.open
if not is_unnamed:
    def refuse(path, flags, *rest):
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError("no such files here")
        return os_open(path, flags, *rest)
    os.open = refuse

def killer(after):
    left = [after]
    def trace(frame, event, _):
        if frame.f_code.co_filename != writing.__file__:
            return None
        if event == "line":
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace
    return trace

seen = []
for after in range(1, 1000):
    report.write_text("old")
    child = os.fork()
    if not child:
        sys.settrace(killer(after))
        writing.replace(report, "new" * 100_000)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    there = sorted(path.name for path in report.parent.iterdir() if path != report)
    for name in there:
        (report.parent / name).unlink()
    seen.append((report.read_text()[:3], len(report.read_text()), there))
    if not status:
        break
print(json.dumps(seen))
"""


@pytest.mark.parametrize("kind", ["unnamed", "named"])
def test_a_kill_at_any_line_leaves_the_old_file_or_the_new_one_and_nothing_like_a_report(tmp_path, kind):
    command = [sys.executable, "-c", KILLED, str(tmp_path / "report.json"), kind]
    done = subprocess.run(  # noqa: S603 - our own
        command, env={**os.environ, "PYTHONPATH": str(HOME)}, capture_output=True, check=True
    )
    seen = json.loads(done.stdout)
    assert {tuple(each[:2]) for each in seen} == {("old", 3), ("new", 300_000)}
    litter = [name for _, _, there in seen for name in there]
    assert all(name.startswith(".") and name.endswith(".tmp") for name in litter)
    assert len(litter) < len(seen) / 2 if kind == "unnamed" else litter
    assert seen[-1] == ["new", 300_000, []]


def test_a_new_report_has_the_permissions_that_the_user_gives_files(tmp_path):
    before = os.umask(0o027)
    try:
        writing.replace(tmp_path / "report.json", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "report.json").stat().st_mode & 0o777 == 0o640


def test_a_link_to_a_report_stays_a_link(tmp_path):
    (tmp_path / "latest.json").symlink_to("real.json")
    writing.replace(tmp_path / "latest.json", "x")
    assert (tmp_path / "latest.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "x"


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    writing.replace(tmp_path / "pipe", "x")
    assert os.read(reading, 9) == b"x"
    assert (tmp_path / "pipe").is_fifo()
    os.close(reading)


def test_a_job_summary_that_cannot_be_written_is_told(make, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "not_there" / "summary.md"))
    written = writing.write([ReportTarget(ReportFormat.GITHUB, STDOUT)], make.usual())
    assert [trouble.text.partition(":")[0] for trouble in written.troubles] == [
        "GitHub's job summary could not be written"
    ]
    assert written.shown[0].startswith("::error")


def test_the_appendix_is_asked_for_once_and_when_the_other_reports_are_there(tmp_path, monkeypatch):
    names = ("perfetto", "json", "html")
    renderers = {ReportFormat(name): lambda document: " ".join(sorted(document)) for name in names}
    monkeypatch.setattr(writing, "RENDERERS", renderers)
    seen = []

    def appendix():
        seen.append(sorted(path.name for path in tmp_path.iterdir()))
        return {"traces": {}}

    targets = [ReportTarget(ReportFormat(name), tmp_path / name) for name in names]
    assert writing.write(targets, {"schema": 1}, appendix) == writing.Written()
    assert seen == [["json"]]
    assert {name: (tmp_path / name).read_text() for name in names} == {
        "perfetto": "schema traces",
        "json": "schema",
        "html": "schema traces",
    }
