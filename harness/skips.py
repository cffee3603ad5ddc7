"""Keeps pytest's list of skipped tests (``-ra``, ``-rs``) short: what does not apply to a plugin is one line of it.

To pytest a rule that is N/A is a skipped test with a reason, and stays one: in its counts, in its own XML, for other
plugins. Only the list that is printed at the end would be a screen full of them, which ``-v`` tells rule by rule.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from harness import outcome
from harness.verdict import Verdict

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

REASON = "N/A: the rule does not concern the plugin; -v tells why"


def fold(reporter: TerminalReporter) -> None:
    """Have the list show what does not apply under one reason a plugin; the reports themselves stay as they are."""
    skipped: list[Any] = reporter.stats.get("skipped", [])
    skipped[:] = [_folded(report) for report in skipped]


def _folded(report: Any) -> Any:
    note = outcome.note_of(report)
    if note is None or note.result is None or note.result.verdict is not Verdict.NOT_APPLICABLE:
        return report
    if not isinstance(report.longrepr, tuple):
        return report
    short = copy.copy(report)
    short.longrepr = (*report.longrepr[:2], REASON)
    return short
