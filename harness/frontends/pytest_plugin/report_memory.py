"""What pytest keeps of reports until the end of a session: of ours, no more than is still to be told.

Theory: pytest's terminal reporter keeps every report of every phase, in a worker of pytest-xdist too, where nobody
reads them. A library of 200 plugins has 40,000 items, so that adds up. What a report is for has happened once all
plugins of pytest have seen it; what our own section tells at the end is in the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.frontends.pytest_plugin import skips
from harness.frontends.pytest_plugin.outcomes import ATTRIBUTE, note_of

if TYPE_CHECKING:
    import pytest

#: The letters of ``-r`` that have pytest show what passed, with what was written.
_SHOW_PASSED = frozenset("PA")


def let_go(config: pytest.Config, report: pytest.TestReport) -> None:
    """Drop what nobody asks a report of ours for any more, once all have seen it."""
    if hasattr(config, "workerinput"):
        _take_back(config, report)
        return
    note = note_of(report)
    if note is not None:
        skips.fold(report, note)
        delattr(report, ATTRIBUTE)
    if report.when != "call" and report.passed and config.getoption("durations", None) is None:
        _take_back(config, report)
    elif note is not None:
        report.keywords = {}
        if not report.failed and not _SHOW_PASSED & set(config.getoption("reportchars", "")):
            report.sections = []


def _take_back(config: pytest.Config, report: pytest.TestReport) -> None:
    """Take a report out of what the terminal reporter has just put it into."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    for kept in getattr(reporter, "stats", {}).values():
        if kept and kept[-1] is report:
            del kept[-1]
