"""List the slowest rules for ``--durations``, with the time of each where it was judged.

Pytest's own list has the time that each item waited. That is another matter, because helpers judge ahead of pytest. The
first item also pays for rules that later items rest on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.results.run_plan import ItemId

if TYPE_CHECKING:
    import pytest

    from harness.results.ledger import Certified

TITLE = "slowest rules, in the process that judged them"


def lines(plugins: Sequence[Certified], config: pytest.Config) -> list[str]:
    """Return a line for each of the rules that were asked for, the slowest first; none where none were."""
    wanted = config.getoption("durations", None)
    if wanted is None:
        return []
    least = config.getoption("durations_min", None) or 0.0
    took = [
        (record.result.seconds, ItemId(certified.plugin.label, record.case, record.rule).nodeid)
        for certified in plugins
        for record in certified.tally.records
        if record.result is not None and record.result.seconds and record.result.seconds >= least
    ]
    told = sorted(took, key=lambda each: (-each[0], each[1]))
    return [f"{seconds:7.2f} s  {nodeid}" for seconds, nodeid in told[: wanted or None]]
