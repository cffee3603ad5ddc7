"""What a run says, as plain data: the form that other tools may rely on, and that every report is made of.

The JSON report is this document as it is; the other formats are functions of it and know nothing else of the run.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import importlib.metadata
import platform
from typing import TYPE_CHECKING, Any

from harness.contract import explanation
from harness.contract.verdict import Verdict
from harness.reports.plain import presentable
from harness.results.run_plan import IMPORT_RULE, ItemId
from harness.results.tally import device_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.config.options import Options
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.contract.shard import Shard
    from harness.contract.verdict import Result
    from harness.results.ledger import Certified, Summary
    from harness.results.run_plan import ModulePlan
    from harness.results.tally import Tally

#: A report as plain data.
Document = dict[str, Any]

SCHEMA = 1
#: Why something was not judged that the user left out.
NOT_SELECTED = "not selected"
_DISTRIBUTIONS = ("pytest-trt-conformance", "pytest", "numpy", "cupy", "hypothesis")


class Status(enum.Enum):
    """Whether a run came to its end."""

    COMPLETE = "complete"
    INTERRUPTED = "interrupted"


def document_of(
    options: Options,
    catalogue: Catalogue,
    summary: Summary,
    databases: Sequence[str] = (),
    *,
    interrupted: bool = False,
    root: str = "",
) -> Document:
    """Return the report as plain data; it says the same for the same run.

    Args:
        options: What the user asked for.
        catalogue: The rules of the run.
        summary: What was found.
        databases: Where failing examples were looked for and kept.
        interrupted: Whether somebody stopped the run, so that what is missing was not judged.
        root: The folder that a reader's files are in: the repository, or where the run was started.
    """
    touched = [certified for certified in summary.plugins if certified.standing is not None]
    results = [result for certified in touched for result in certified.tally.results]
    counts = collections.Counter(result.verdict for result in results)
    document: Document = {
        "schema": SCHEMA,
        "status": (Status.INTERRUPTED if interrupted else Status.COMPLETE).value,
        "versions": _versions(),
        "root": root,
        "level": options.level.number,
        "seed": options.seeds[0],
        "seeds": list(options.seeds),
        "spec": options.spec.value,
        "options": options.to_plain(),
        "databases": list(databases),
        "counts": {verdict.value: counts[verdict] for verdict in Verdict},
        "modules": [_module(module) for module in summary.modules],
        "sources": _sources(summary),
        "rules": {rule.id: explanation.as_data(rule) for rule in _rules_of(touched, catalogue)},
        "plugins": [entry for certified in touched for entry in _cases(certified, catalogue)],
        "not_run": [entry for certified in touched for entry in _not_run(certified)],
        "internal_errors": list(summary.internal),
        "baseline": summary.compared.to_plain() if summary.compared else None,
    }
    return {key: presentable(value) for key, value in document.items()}


def plugin_verdict(entry: Mapping[str, Any]) -> str:
    """Return the verdict on the plugin of a case's entry; older reports have that of the case alone."""
    return str(entry.get("plugin_verdict", entry["verdict"]))


def _rules_of(touched: Sequence[Certified], catalogue: Catalogue) -> list[Rule]:
    """The rules that concern what was certified, whether or not they ran."""
    ids = {record.rule for certified in touched for record in certified.tally.records}
    return [catalogue[rule] for rule in sorted(ids)]


def _versions() -> dict[str, str]:
    installed = {name: _version(name) for name in _DISTRIBUTIONS}
    return {"python": platform.python_version(), **{name: found for name, found in installed.items() if found}}


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _module(module: ModulePlan) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "module": module.name,
        "given": module.given,
        "file": module.file,
        "verdict": Verdict.FAIL.value,
    }
    if module.failure is not None:
        entry |= _told(IMPORT_RULE, module.failure)
    return entry


def _sources(summary: Summary) -> list[dict[str, Any]]:
    """Where the code of each module is, as far as it was loaded before anything was judged."""
    modules = {module.given: module for module in (*(each.module for each in summary.plugins), *summary.modules)}
    return [
        {"module": module.name, "given": module.given, **module.written}
        for module in modules.values()
        if module.written
    ]


def _cases(certified: Certified, catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    for case in certified.plugin.cases:
        tally = certified.cases[case.name]
        if tally.standing is not None:
            yield {
                "key": certified.plugin.key,
                "id": ItemId(certified.plugin.label, case.name, "").nodeid,
                "case": case.name,
                "inferred": case.inferred,
                "spec": case.spec,
                "module": certified.module.name,
                "interface": certified.plugin.interface.value,
                "creator": certified.plugin.creator,
                "file": certified.plugin.file,
                "line": certified.plugin.line,
                "methods": dict(certified.plugin.methods),
                "verdict": tally.standing.value,
                "plugin_verdict": certified.standing.value if certified.standing else tally.standing.value,
                "evidence": tally.evidence,
                "selected": tally.selected,
                "total": tally.total,
                "kernels_executed": tally.executed,
                "stand_ins": tally.stand_ins,
                "device": device_of(tally.results),
                "rules": _rules(tally, catalogue),
            }


def _rules(tally: Tally, catalogue: Catalogue) -> list[dict[str, Any]]:
    return [
        {**_rule(catalogue[record.rule], record.result, record.shard, known=record.known), "fails": record.failed}
        for record in tally.records
        if record.result is not None
    ]


def _rule(rule: Rule, result: Result, shard: Shard, *, known: bool) -> dict[str, Any]:
    return {
        "id": rule.id,
        **({} if shard.is_whole else {"shard": str(shard)}),
        "severity": result.severity.value,
        "verdict": result.verdict.value,
        "evidence": result.evidence,
        "known": known,
        "device": result.device,
        **_told(rule, result),
    }


def _told(rule: Rule, result: Result) -> dict[str, Any]:
    source = str(rule.source)
    failing = {"examples": list(result.examples), "replay": result.replay} if result.examples else {}
    return {
        **failing,
        **({"drawn": dataclasses.asdict(result.drawn)} if result.drawn else {}),
        "broken": result.broken,
        "reason": result.reason,
        "blocked_by": result.blocked_by,
        "fingerprint": result.fingerprint,
        "order_sensitive": result.order_sensitive,
        "mishap": result.mishap.to_plain() if result.mishap else None,
        "violations": [{**violation.to_plain(), "source": source} for violation in result.violations],
    }


def _not_run(certified: Certified) -> Iterator[dict[str, str]]:
    """What was not judged, and why: for want of something here, or because somebody took it away."""
    for record in certified.tally.records:
        nodeid = ItemId(certified.plugin.label, record.case, record.rule, record.shard).nodeid
        if record.unselected:
            yield {"id": nodeid, "reason": NOT_SELECTED}
        elif record.result is None or record.origin:
            yield {"id": nodeid, "reason": record.origin or "it did not run"}
        elif record.result.verdict is Verdict.NOT_RUN:
            yield {"id": nodeid, "reason": record.result.reason}
