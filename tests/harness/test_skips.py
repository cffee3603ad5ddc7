"""Pytest's list of skipped tests: what does not apply is one line, and the reports stay as they are."""

from types import SimpleNamespace

from harness import outcome, skips
from harness.outcome import Note
from harness.rule import Severity
from harness.verdict import Result, Verdict


def skipped(verdict, reason):
    report = SimpleNamespace(outcome="skipped", longrepr=("bar.py", 3, reason))
    outcome.attach(report, Note(Result("FMT-001", Severity.ERROR, verdict, reason=reason)))
    return report


def test_what_does_not_apply_is_told_in_short():
    assert skips.is_told_in_short(skipped(Verdict.NOT_APPLICABLE, "no formats"))
    assert not skips.is_told_in_short(skipped(Verdict.NOT_RUN, "needs a GPU"))
    assert not skips.is_told_in_short(SimpleNamespace(outcome="skipped", longrepr=("test_own.py", 1, "their own")))


def test_the_list_has_the_one_reason_and_the_report_its_own():
    report = skipped(Verdict.NOT_APPLICABLE, "no formats")
    reporter = SimpleNamespace(stats={"skipped": ["another", report]})
    skips.fold(reporter, report)
    assert reporter.stats["skipped"][0] == "another"
    assert reporter.stats["skipped"][1].longrepr == ("bar.py", 3, skips.REASON)
    assert report.longrepr == ("bar.py", 3, "no formats")


def test_a_reporter_that_does_not_list_it_has_nothing_to_fold():
    reporter = SimpleNamespace(stats={})
    skips.fold(reporter, skipped(Verdict.NOT_APPLICABLE, "no formats"))
    assert reporter.stats == {}
