"""Frees what pytest would keep of our reports until the session ends, and nothing reads any more.

Theory: pytest's terminal reporter keeps every report of every phase, in a worker of pytest-xdist too, where they
are never read. A library of 200 plugins has 40,000 items, so that adds up. What a report is for has happened once all
plugins of pytest have seen it; what our own section shows at the end is in the ledger.

To pytest a rule that is N/A is a skipped test with a reason, and stays one: in its counts, in its own XML, for all who
see its report. Only in the list that is printed at the end (``-ra``, ``-rs``) all of a plugin have one reason and
become one line of it, in place of a screen full, which ``-v`` shows one by one.
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
    """Drop what nothing reads of a report of ours any more, once all plugins of pytest have seen it."""
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
    """Take a report out of what the terminal reporter has just put it into."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    for kept in getattr(reporter, "stats", {}).values():
        if kept and kept[-1] is report:
            del kept[-1]
