"""Collect what some formats of a report add to it: traces, latencies, and the witnesses of the rules.

The appendix is not part of the document. It takes time to collect, and its latencies differ from run to run.

* ``traces``: by the id of a case, what ``tracing.reading`` returns, with ``status`` and ``note``
* ``latencies``: what was measured and compared; no entries without a measurement
* ``witnesses``: its name and file, the rule that it breaks, other rules that detect it, the defect in words
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
    """Return the appendix as plain data. For the traces, the run's worker processes are asked once more.

    Args:
        run: The run.
        summary: What it found, and so the cases to trace.
        interrupted: Whether the user interrupted it.
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
