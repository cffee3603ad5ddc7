"""List the slowest rules for ``--durations``, with the time of each in the process that judged it.

Pytest's own list has the time that each item waited. The two differ, because helpers judge ahead of pytest. The wait of
the first item also includes the rules that later items require.
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
    """Return a line for each of the slowest rules, as many as ``--durations`` says; none without this option."""
    most = config.getoption("durations", None)
    if most is None:
        return []
    least = config.getoption("durations_min", None) or 0.0
    took = [
        (record.result.seconds, ItemId(certified.plugin.label, record.case, record.rule).nodeid)
        for certified in plugins
        for record in certified.tally.records
        if record.result is not None and record.result.seconds and record.result.seconds >= least
    ]
    slowest = sorted(took, key=lambda each: (-each[0], each[1]))
    return [f"{seconds:7.2f} s  {nodeid}" for seconds, nodeid in slowest[: most or None]]
