"""Collect the appendix that some formats of a report need: traces, latencies, and the witnesses of the rules.

The appendix is not part of the document. It takes time to collect, and its latencies differ from run to run.

* ``traces``: by the id of a case, the trace that ``tracing.request`` returns
* ``latencies``: the measurements and comparisons, in two lists
* ``witnesses``: for each, its name, its file, the rule that it breaks, other rules that detect it, the defect
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.contract.explaining import witnesses
from harness.controller.tracing.request import missing
from harness.results.run_plan import ItemId

if TYPE_CHECKING:
    from harness.controller.run import Run
    from harness.results.ledger import Summary
    from harness.results.report import Document

_INTERRUPTED = "the run was interrupted, and no trace was taken"


def appendix_of(run: Run, summary: Summary, *, interrupted: bool = False) -> Document:
    """Return the appendix as plain data. The run's children record the traces now.

    Args:
        run: The run.
        summary: The results of the run; cases with a verdict are traced.
        interrupted: Whether the user interrupted the run. Then no trace is recorded.
    """
    traces = {
        ItemId(certified.plugin.label, case.name, "").nodeid: missing(_INTERRUPTED)
        if interrupted
        else run.trace(certified.module, certified.plugin, case)
        for certified in summary.plugins
        for case in certified.plugin.cases
        if certified.cases[case.name].standing is not None
    }
    return {
        "traces": traces,
        "latencies": run.latencies.to_plain(),
        "witnesses": [dataclasses.asdict(witness) for witness in witnesses.witnesses()],
    }
