"""Frees what pytest would keep of our reports until the session ends, though no code reads it any more.

Theory: pytest's terminal reporter keeps every report of every phase. In a worker of pytest-xdist they are never read. A
    library of 200 plugins has 40,000 items, so that adds up. A report has done its work once all plugins of pytest have
    seen it. What our own section shows at the end is in the ledger.

To pytest a rule that is N/A is a skipped test with a reason. It stays so in pytest's counts, in its XML, and in its
reports. Only the list at the end (``-ra``, ``-rs``) differs. All these tests of a plugin have one reason there and
share one line, in place of a screen full. ``-v`` shows them one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict
from harness.results.note import Note, detach, note_of

if TYPE_CHECKING:
    import pytest

#: The letters of ``-r`` that have pytest show what passed, with what was written.
_SHOW_PASSED = frozenset("PA")
#: The reason that the list at the end gives for all that does not apply to a plugin.
REASON = "N/A: the rule does not concern the plugin; -v says why"


def let_go(config: pytest.Config, report: pytest.TestReport) -> None:
    """Drop the unread parts of our report, once all plugins of pytest have seen it."""
    if hasattr(config, "workerinput"):
        _take_back(config, report)
        return
    note = note_of(report)
    if note is not None:
        fold(report, note)
        detach(report)
    if report.when != "call" and report.passed and config.getoption("durations", None) is None:
        _take_back(config, report)
    elif note is not None:
        report.keywords = {}
        if not report.failed and not _SHOW_PASSED & set(config.getoption("reportchars", "")):
            report.sections = []


def fold(report: Any, note: Note) -> None:
    """Give all reports of rules that do not apply one reason, once all plugins of pytest have seen their own."""
    applies = note.result is None or note.result.verdict is not Verdict.NOT_APPLICABLE
    if not applies and isinstance(report.longrepr, tuple):
        report.longrepr = (*report.longrepr[:2], REASON)


def _take_back(config: pytest.Config, report: pytest.TestReport) -> None:
    """Take a report out of the list that the terminal reporter has just put it into."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    for kept in getattr(reporter, "stats", {}).values():
        if kept and kept[-1] is report:
            del kept[-1]
