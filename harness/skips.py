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


def is_told_in_short(report: Any) -> bool:
    """Whether a report, which still has its verdict, is of a rule that does not apply."""
    if report.outcome != "skipped" or not isinstance(report.longrepr, tuple):
        return False
    note = outcome.note_of(report)
    return note is not None and note.result is not None and note.result.verdict is Verdict.NOT_APPLICABLE


def fold(reporter: TerminalReporter, report: Any) -> None:
    """Have the list show a report, the last that came, under the one reason; the report itself stays as it is."""
    skipped: list[Any] = reporter.stats.get("skipped", [])
    if skipped and skipped[-1] is report:
        skipped[-1] = copy.copy(report)
        skipped[-1].longrepr = (*report.longrepr[:2], REASON)
