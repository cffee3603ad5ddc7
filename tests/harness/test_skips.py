"""Pytest's list of skipped tests: what does not apply is one line, and the reports stay as they are."""

from types import SimpleNamespace

from harness import outcome, skips
from harness.outcome import Note
from harness.rule import Severity
from harness.verdict import Result, Verdict


def skipped(verdict, reason):
    report = SimpleNamespace(longrepr=("bar.py", 3, reason))
    outcome.attach(report, Note(Result("FMT-001", Severity.ERROR, verdict, reason=reason)))
    return report


def test_reasons_of_what_does_not_apply_become_one():
    beside = [skipped(Verdict.NOT_APPLICABLE, reason) for reason in ("no formats", "no fields")]
    others = [skipped(Verdict.NOT_RUN, "needs a GPU"), SimpleNamespace(longrepr=("test_own.py", 1, "their own"))]
    reporter = SimpleNamespace(stats={"skipped": [*beside, *others]})
    skips.fold(reporter)
    told = [report.longrepr for report in reporter.stats["skipped"]]
    assert told == [("bar.py", 3, skips.REASON)] * 2 + [("bar.py", 3, "needs a GPU"), ("test_own.py", 1, "their own")]
    assert [report.longrepr[2] for report in beside] == ["no formats", "no fields"]


def test_a_run_without_any_has_nothing_to_fold():
    reporter = SimpleNamespace(stats={})
    skips.fold(reporter)
    assert reporter.stats == {}
