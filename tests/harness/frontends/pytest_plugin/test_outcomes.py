"""A verdict decides how pytest shows an item, whatever others made of its report."""

import pytest

from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.frontends.pytest_plugin.outcomes import settle, status_of
from harness.results.note import Note, note_of

PLACE = ("bar.py", 3)


def a_result(verdict, **more):
    return Result("FMT-001", Severity.ERROR, verdict, reason="why", **more)


def a_report(outcome, **more):
    return pytest.TestReport("conformance::/Bar/1::a::FMT-001", PLACE, {}, outcome, "told by others", "call", **more)


def settled(verdict, *, failed=False, raw="passed", **more):
    report = a_report(raw, **more)
    settle(report, Note(a_result(verdict, evidence=2), failed), "told by us", PLACE)
    return report


@pytest.mark.parametrize(
    ("verdict", "failed", "outcome", "told", "category", "word"),
    [
        (Verdict.PASS, False, "passed", None, "passed", "PASS [2 evaluations]"),
        (Verdict.WARN, False, "passed", None, "passed", "WARN [2 evaluations]"),
        (Verdict.WARN, True, "failed", "told by us", "failed", "WARN [2 evaluations]"),
        (Verdict.FAIL, True, "failed", "told by us", "failed", "FAIL [2 evaluations]"),
        (Verdict.XPASS, True, "failed", "told by us", "failed", "XPASS [2 evaluations]"),
        (Verdict.XFAIL, False, "skipped", None, "xfailed", "XFAIL [2 evaluations]"),
        (Verdict.NOT_RUN, False, "skipped", (*PLACE, "why"), "skipped", "NOT-RUN [2 evaluations]"),
        (Verdict.NOT_APPLICABLE, False, "skipped", (*PLACE, "why"), "skipped", "N/A [2 evaluations]"),
        (Verdict.BLOCKED, True, "failed", "told by us", "failed", "BLOCKED [2 evaluations]"),
    ],
)
def test_a_verdict_has_its_outcome_and_its_word(verdict, failed, outcome, told, category, word):
    report = settled(verdict, failed=failed)
    assert (report.outcome, report.longrepr) == (outcome, told)
    shown, letter, (text, markup) = status_of(report)
    assert (shown, text, len(letter), len(markup)) == (category, word, 1, 1)


def test_an_expected_failure_is_one_of_pytests():
    assert settled(Verdict.XFAIL).wasxfail == "why"


def test_what_others_made_of_the_report_is_undone():
    report = settled(Verdict.FAIL, failed=True, raw="skipped", wasxfail="later")
    assert report.outcome == "failed"
    assert not hasattr(report, "wasxfail")


def test_an_outcome_of_another_plugin_is_shown_and_counted_by_that_plugin():
    report = settled(Verdict.FAIL, failed=True)
    report.outcome = "rerun"
    assert status_of(report) is None


def test_a_note_travels_as_plain_data():
    note = Note(a_result(Verdict.FAIL), failed=True, interference="somebody")
    assert Note.from_plain(note.to_plain()) == note


def test_reports_that_are_not_ours_are_left_to_pytest():
    report = a_report("failed")
    assert note_of(report) is None
    assert status_of(report) is None


def test_what_another_plugin_raised_after_a_good_verdict_is_shown_as_pytest_does():
    report = a_report("failed")
    report.trt_conformance = Note(a_result(Verdict.PASS), interference="ValueError: leaked").to_plain()
    assert status_of(report) is None
