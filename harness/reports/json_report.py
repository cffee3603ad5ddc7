"""The JSON report: the form of a run that other tools may rely on, schema 1 of ``DESIGN.md`` section 3."""

from __future__ import annotations

import collections
import dataclasses
import importlib.metadata
import json
import os
import platform
import tempfile
from typing import TYPE_CHECKING, Any

from harness.options import ReportFormat
from harness.plan import IMPORT_RULE, Place
from harness.tally import device_of
from harness.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from harness.catalogue import Catalogue
    from harness.ledger import Certified, Summary
    from harness.options import Options
    from harness.plan import ModulePlan
    from harness.rule import Rule
    from harness.shard import Shard
    from harness.tally import Tally
    from harness.verdict import Result

SCHEMA = 1
_DISTRIBUTIONS = ("pytest-trt-conformance", "pytest", "numpy", "cupy", "hypothesis")


def write(options: Options, catalogue: Catalogue, summary: Summary, databases: Sequence[str] = ()) -> list[str]:
    """Write the reports that were asked for; return what went wrong, a line each."""
    troubles = []
    for target in options.reports:
        if target.format is ReportFormat.JSON:
            try:
                _replace(target.path, json.dumps(report_of(options, catalogue, summary, databases), indent=1) + "\n")
            except OSError as error:
                troubles.append(f"the report {target.path} could not be written: {error}")
    return troubles


def report_of(
    options: Options, catalogue: Catalogue, summary: Summary, databases: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the report as plain data; it says the same for the same run.

    ``databases`` are where failing examples were looked for and kept.
    """
    touched = [certified for certified in summary.plugins if certified.standing is not None]
    results = [result for certified in touched for result in certified.tally.results]
    counts = collections.Counter(result.verdict for result in results)
    return {
        "schema": SCHEMA,
        "versions": _versions(),
        "level": options.level.number,
        "seed": options.seeds[0],
        "seeds": list(options.seeds),
        "spec": options.spec.value,
        "options": options.to_plain(),
        "databases": list(databases),
        "counts": {verdict.value: counts[verdict] for verdict in Verdict},
        "modules": [_module(module) for module in summary.modules],
        "plugins": [entry for certified in touched for entry in _cases(certified, catalogue)],
        "not_run": [entry for certified in touched for entry in _not_run(certified)],
        "internal_errors": list(summary.internal),
    }


def _versions() -> dict[str, str]:
    installed = {name: _version(name) for name in _DISTRIBUTIONS}
    return {"python": platform.python_version(), **{name: found for name, found in installed.items() if found}}


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _module(module: ModulePlan) -> dict[str, Any]:
    entry: dict[str, Any] = {"module": module.name, "given": module.given, "verdict": Verdict.FAIL.value}
    if module.failure is not None:
        entry |= _told(IMPORT_RULE, module.failure)
    return entry


def _cases(certified: Certified, catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    for case in certified.plugin.cases:
        tally = certified.cases[case.name]
        if tally.standing is not None:
            yield {
                "key": certified.plugin.key,
                "id": Place(certified.plugin.label, case.name, "").nodeid,
                "case": case.name,
                "inferred": case.inferred,
                "spec": case.spec,
                "module": certified.module.name,
                "interface": certified.plugin.interface.value,
                "verdict": tally.standing.value,
                "evidence": tally.evidence,
                "selected": tally.selected,
                "total": tally.total,
                "kernels_executed": tally.executed,
                "device": device_of(tally.results),
                "rules": _rules(tally, catalogue),
            }


def _rules(tally: Tally, catalogue: Catalogue) -> list[dict[str, Any]]:
    return [
        _rule(catalogue[record.rule], record.result, record.shard)
        for record in tally.records
        if record.result is not None
    ]


def _rule(rule: Rule, result: Result, shard: Shard) -> dict[str, Any]:
    return {
        "id": rule.id,
        **({} if shard.is_whole else {"shard": str(shard)}),
        "severity": result.severity.value,
        "verdict": result.verdict.value,
        "evidence": result.evidence,
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
        nodeid = Place(certified.plugin.label, record.case, record.rule, record.shard).nodeid
        if record.unselected:
            yield {"id": nodeid, "reason": "not selected"}
        elif record.result is None or record.origin:
            yield {"id": nodeid, "reason": record.origin or "it did not run"}
        elif record.result.verdict is Verdict.NOT_RUN:
            yield {"id": nodeid, "reason": record.result.reason}


def _replace(path: Path, content: str) -> None:
    """Write a file so that whoever reads it sees the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_umask())  # noqa: PTH101 - mkstemp gave a name, and 0600 is not what others write
        os.replace(name, path)  # noqa: PTH105 - as above
    except OSError:
        os.unlink(name)  # noqa: PTH108 - as above
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
