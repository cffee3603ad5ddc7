"""Some formats show traces, latencies and witnesses; the document that all others are made of has none of them."""

import json

import pytest

pytest_plugins = ["pytester"]

PLUGIN = """
import json
import pathlib
CASES = [case('a'), case('b')]
PLUGINS = {'/Bar/1': CASES}
def enq_002(): return 'the sum is wrong'
"""
#: A stub of the judge that writes a trace, and ends as the test says.
TRACED = """
def trace(file=None):
    line = {'is': 'call', 'number': 1, 'at': 0, 'thread': 1, 'thread_name': 'T', 'object': 'P#1', 'kind': 'P',
            'method': 'clone', 'phase': 'network', 'arguments': []}
    pathlib.Path(file).write_text(json.dumps(line))
    ENDING
"""


@pytest.fixture(name="written")
def what_a_run_writes(certify, pytester):
    def written(*arguments, plugin=PLUGIN, **more):
        reports = {name: pytester.path / name for name in ("json", "perfetto", "html")}
        options = [f"--plugin-report={name}:{path}" for name, path in reports.items()]
        result = certify(*options, *arguments, plugin=plugin, **more)
        return result, {name: path.read_text() for name, path in reports.items() if path.exists()}

    return written


def test_without_a_format_that_shows_it_nobody_is_asked_for_a_trace(certify, pytester):
    certify("--plugin-report=json:r.json", plugin=PLUGIN + TRACED.replace("ENDING", "pathlib.Path('asked').touch()"))
    assert json.loads((pytester.path / "r.json").read_text())["status"] == "complete"
    assert not (pytester.path / "asked").exists()


def test_every_case_has_a_trace_or_a_reason_and_the_json_report_has_none(written):
    _, reports = written()
    assert json.loads(reports["perfetto"])["otherData"]["incomplete"] == {
        "conformance::/Bar/1::a": "no callback was called",
        "conformance::/Bar/1::b": "no callback was called",
    }
    assert "No trace: no callback was called." in reports["html"]
    assert not {"traces", "latencies", "witnesses"} & json.loads(reports["json"]).keys()


@pytest.mark.parametrize(
    ("ending", "note"),
    [
        ("import os; os.abort()", "the plugin died by SIGABRT"),
        ("import time; time.sleep(3600)", "the plugin did not return within 5 s"),
    ],
)
def test_a_trace_that_ends_badly_is_taken_as_far_as_it_goes_and_changes_no_verdict(written, ending, note):
    options = ["--plugin-timeout=5"] if "sleep" in ending else []
    one_case = "CASES.pop()\n"
    result, reports = written(*options, plugin=PLUGIN + one_case + TRACED.replace("ENDING", ending))
    assert result.ret == 1
    counts = json.loads(reports["json"])["counts"]
    assert {verdict: number for verdict, number in counts.items() if number} == {"PASS": 4, "FAIL": 1}
    told = json.loads(reports["perfetto"])
    (said,) = set(told["otherData"]["incomplete"].values())
    assert said == note
    assert "P#1.clone" in [event["name"] for event in told["traceEvents"]]


@pytest.mark.nightly
def test_the_controller_takes_the_traces_where_workers_judge(written):
    traced = PLUGIN + TRACED.replace("ENDING", "return 1")
    _, reports = written("-p", "xdist", "-n2", plugin=traced)
    told = json.loads(reports["perfetto"])
    assert told["otherData"]["incomplete"] == {}
    assert len({event["pid"] for event in told["traceEvents"]}) == 2


def test_an_interrupted_run_takes_no_trace_and_says_so(written, pytester):
    pytester.makepyfile(stopper="def pytest_runtest_logfinish(): raise KeyboardInterrupt")
    result, reports = written("-p", "stopper", plugin=PLUGIN + TRACED.replace("ENDING", "return 1"))
    assert result.ret == pytest.ExitCode.INTERRUPTED
    notes = json.loads(reports["perfetto"])["otherData"]["incomplete"].values()
    assert set(notes) == {"the run was interrupted, and no trace was taken"}
    assert "This run was interrupted" in reports["html"]


def test_applications_have_no_trace_and_it_says_so(pytester, certify_as_a_user):
    pytester.makepyfile(app="import tensorrt as trt\ndef main(): trt.Builder(trt.Logger())")
    page = pytester.path / "trace.json"
    certify_as_a_user("--plugin-app=app:main", f"--plugin-report=perfetto:{page}")
    (note,) = json.loads(page.read_text())["otherData"]["incomplete"].values()
    assert note == "an application runs once, for the rules, and its calls are not kept"
