"""Translate a verdict into pytest's terms: passed, failed or skipped, the letter, the word and the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback

from harness.contract.verdict import Result, Verdict
from harness.reports import story
from harness.reports.plain import message
from harness.results.note import Note, attach, note_of

if TYPE_CHECKING:
    from harness.contract.rule import Rule

#: The reason that pytest shows for a failure that the baseline has, as for an expected failure.
KNOWN = "known from the baseline"

_LETTERS = {
    Verdict.PASS: ".",
    Verdict.FAIL: "F",
    Verdict.WARN: "w",
    Verdict.NOTE: "i",
    Verdict.NOT_APPLICABLE: "-",
    Verdict.BLOCKED: "b",
    Verdict.NOT_RUN: "n",
    Verdict.XFAIL: "x",
    Verdict.XPASS: "X",
}
#: pytest's outcomes of a test; other plugins add their own outcomes.
_OUTCOMES = {"passed", "failed", "skipped"}
_SKIPPED = {Verdict.NOT_APPLICABLE, Verdict.BLOCKED, Verdict.NOT_RUN}


class RuleFailed(Exception):  # noqa: N818 - reads as what happened
    """A rule's verdict fails the run; carried through pytest to the item that reports it."""

    def __init__(self, rule: Rule, result: Result) -> None:
        super().__init__(result.summary)
        self.rule = rule
        self.result = result


class RuleSkipped(pytest.skip.Exception):  # type: ignore[name-defined, misc]
    """A rule's verdict is neither good nor bad; pytest shows the item as skipped."""


def skip_reason(verdict: Verdict, reason: str) -> str:
    """Return why pytest shows the item of a verdict as skipped; empty if it does not."""
    return message(reason or verdict.value) if verdict in _SKIPPED else ""


def failure_of(failed: RuleFailed, file: str, line: int) -> ReprExceptionInfo:
    """Return the failure in the form that pytest prints, serializes and sums up."""
    body = "\n".join([failed.rule.heading, *story.fields(story.of_result(failed.rule, failed.result))]) + "\n"
    crash = ReprFileLocation(file, line, message(failed.result.summary))
    return ReprExceptionInfo(ReprTraceback([ReprEntryNative(message(body))], None, style="value"), crash)


def settle(report: pytest.TestReport, note: Note, failure: Any, place: tuple[str, int]) -> None:
    """Put the verdict into a report, in place of other plugins' entries.

    Args:
        report: The report of the item's call phase.
        note: The verdict, and who interfered.
        failure: The failure as pytest shows it; None if the verdict fails nothing.
        place: File and line of the code under test.
    """
    result = note.result
    if result is not None:
        vars(report).pop("wasxfail", None)
        report.outcome, report.longrepr = "passed", None
        reason = skip_reason(result.verdict, result.reason)
        if note.failed:
            report.outcome, report.longrepr = "failed", failure
        elif note.excused:
            report.outcome, report.wasxfail = "skipped", KNOWN
        elif result.verdict is Verdict.XFAIL:
            report.outcome, report.wasxfail = "skipped", result.reason
        elif reason:
            report.outcome, report.longrepr = "skipped", (*place, reason)
    attach(report, note)


def preventer(report: pytest.TestReport, excinfo: pytest.ExceptionInfo[BaseException] | None) -> str:
    """Return what kept an item from being judged, and where in the user's code this happened."""
    if hasattr(report, "wasxfail"):
        return f"marked as xfail: {report.wasxfail or 'without a reason'}"
    what = "skipped" if report.skipped else f"failed in {report.when}"
    if excinfo is None:
        return f"{what} by another plugin"
    error = excinfo.value
    text = str(error) if report.skipped else f"{type(error).__name__}: {error}"
    places = [
        f"{entry.path}:{entry.lineno + 1}"
        for entry in excinfo.traceback
        if "/_pytest/" not in str(entry.path) and "/pluggy/" not in str(entry.path)
    ]
    return f"{what} at {places[-1]} ({text})" if places else f"{what} by a mark ({text})"


def status_of(report: pytest.TestReport) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Return category, letter and word for pytest's progress; None to leave them to pytest and other plugins."""
    note = note_of(report)
    is_anothers = report.outcome not in _OUTCOMES or (note is not None and report.failed and not note.failed)
    if note is None or note.result is None or is_anothers:  # such as the outcome ``rerun`` of pytest-rerunfailures
        return None
    letter, word = _LETTERS[note.result.verdict], note.result.word
    if note.failed:
        return "failed", letter if letter in "FX" else "F", (word, {"red": True})
    if note.excused:
        return "xfailed", "k", (f"{word}, {KNOWN}", {"yellow": True})
    if note.result.verdict is Verdict.XFAIL:
        return "xfailed", letter, (word, {"yellow": True})
    if note.result.verdict in _SKIPPED:
        return "skipped", letter, (word, {"yellow": True})
    colour = "green" if note.result.verdict is Verdict.PASS else "yellow"
    return "passed", letter, (word, {colour: True})
