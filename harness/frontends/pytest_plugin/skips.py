"""Keeps pytest's list of skipped tests (``-ra``, ``-rs``) short: what does not apply to a plugin is one line of it.

To pytest a rule that is N/A is a skipped test with a reason, and stays one: in its counts, in its own XML, for all who
see its report. Only the list that is printed at the end would be a screen full of them, which ``-v`` tells one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict

if TYPE_CHECKING:
    from harness.frontends.pytest_plugin.outcomes import Note

REASON = "N/A: the rule does not concern the plugin; -v tells why"


def fold(report: Any, note: Note) -> None:
    """Give a report of what does not apply the reason that all such have, once everybody has seen its own."""
    applies = note.result is None or note.result.verdict is not Verdict.NOT_APPLICABLE
    if not applies and isinstance(report.longrepr, tuple):
        report.longrepr = (*report.longrepr[:2], REASON)
