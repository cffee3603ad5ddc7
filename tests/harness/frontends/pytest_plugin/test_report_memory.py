"""Of reports, pytest keeps no more until the end than is still to be told."""

from types import SimpleNamespace

import pytest

from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.frontends.pytest_plugin import report_memory
from harness.frontends.pytest_plugin.report_memory import let_go
from harness.results.note import ATTRIBUTE, Note


class Reporter:
    def __init__(self):
        self.stats = {"passed": ["another"], "": []}


@pytest.fixture
def seen():
    """Let go of a report that the terminal reporter has just put away; return it and what the reporter keeps."""

    def see(*, worker=False, **facts):
        options = {key: facts.pop(key) for key in ("durations", "reportchars") if key in facts}
        reporter = Reporter()
        config = SimpleNamespace(
            pluginmanager=SimpleNamespace(getplugin={"terminalreporter": reporter}.get),
            getoption=options.get,
            **({"workerinput": {}} if worker else {}),
        )
        known = {"when": "call", "outcome": "passed", "sections": [("stdout", "much")], "keywords": {"a": 1}}
        report = SimpleNamespace(**{**known, **facts, ATTRIBUTE: {"result": None}})
        report.passed, report.failed = report.outcome == "passed", report.outcome == "failed"
        if report.when != "call":
            del report.trt_conformance
        reporter.stats["passed" if report.when == "call" else ""].append(report)
        let_go(config, report)
        return report, [each for kept in reporter.stats.values() for each in kept]

    return see


def test_a_judged_report_loses_what_only_the_ledger_needs(seen):
    report, kept = seen()
    assert not hasattr(report, ATTRIBUTE)
    assert (report.sections, report.keywords) == ([], {})
    assert kept == ["another", report]


@pytest.mark.parametrize("facts", [{"outcome": "failed"}, {"reportchars": "P"}, {"reportchars": "wA"}])
def test_what_pytest_still_shows_stays(seen, facts):
    assert seen(**facts)[0].sections


def test_setup_and_teardown_that_passed_are_not_kept_at_all(seen):
    assert seen(when="teardown")[1] == ["another"]


@pytest.mark.parametrize("facts", [{"durations": 5}, {"outcome": "failed"}])
def test_setup_and_teardown_are_kept_for_who_asks_for_them(seen, facts):
    report, kept = seen(when="teardown", **facts)
    assert kept == ["another", report]


def test_a_worker_keeps_none(seen):
    assert seen(worker=True)[1] == ["another"]


@pytest.mark.parametrize(
    ("verdict", "told"), [(Verdict.NOT_APPLICABLE, report_memory.REASON), (Verdict.NOT_RUN, "needs a GPU")]
)
def test_what_does_not_apply_has_one_reason_and_all_else_its_own(verdict, told):
    report = SimpleNamespace(longrepr=("bar.py", 3, "needs a GPU"))
    report_memory.fold(report, Note(Result("FMT-001", Severity.ERROR, verdict, reason="needs a GPU")))
    assert report.longrepr == ("bar.py", 3, told)


def test_an_item_without_a_verdict_is_left_alone():
    report = SimpleNamespace(longrepr=("bar.py", 3, "skipped by a mark"))
    report_memory.fold(report, Note(interference="a mark"))
    assert report.longrepr[2] == "skipped by a mark"
