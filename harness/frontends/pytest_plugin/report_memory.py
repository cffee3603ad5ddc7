"""Free the data of conformance reports that pytest would keep until the session ends, but no longer reads.

Theory: pytest's terminal reporter keeps every report of every phase. In a worker of pytest-xdist they are never read. A
    library of 200 plugins has 40,000 items, so they take much memory. A report is no longer needed once all plugins of
    pytest have seen it: the section at the end uses the ledger.

For pytest a rule that is N/A is a skipped test with a reason. It stays one in pytest's counts, XML and reports. Only
pytest's list at the end (``-ra``, ``-rs``) differs. There all these tests of a plugin get the same reason, so that they
share one line. ``-v`` shows the reasons one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict
from harness.results.note import Note, detach, note_of

if TYPE_CHECKING:
    import pytest

#: The letters of ``-r`` that have pytest list passed tests with their output.
_SHOW_PASSED = frozenset("PA")
#: The reason in pytest's list at the end for all rules that do not apply to a plugin.
REASON = "N/A: the rule does not concern the plugin; -v says why"


def let_go(config: pytest.Config, report: pytest.TestReport) -> None:
    """Drop the parts of a conformance report that pytest reads no more; all plugins of pytest have seen it."""
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
    """Give the report of a rule that does not apply the common reason; all plugins have seen its own reason."""
    applies = note.result is None or note.result.verdict is not Verdict.NOT_APPLICABLE
    if not applies and isinstance(report.longrepr, tuple):
        report.longrepr = (*report.longrepr[:2], REASON)


def _take_back(config: pytest.Config, report: pytest.TestReport) -> None:
    """Remove a report from the list to which the terminal reporter has just added it."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    for kept in getattr(reporter, "stats", {}).values():
        if kept and kept[-1] is report:
            del kept[-1]
