"""Build the document of a run: plain data that other tools read and that every report is made from.

The JSON report is this document. The other formats are functions of the document, and use no other data of the run.
"""

from __future__ import annotations

import collections
import platform
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harness.contract.api_level import ApiLevel
from harness.contract.explaining import explanation
from harness.contract.seen import formats_of, merged, shapes_of
from harness.contract.verdict import Verdict
from harness.process.machine import version_of
from harness.process.nvidia_packages import of_choice
from harness.reports.plain import presentable
from harness.reports.spot import add_spots
from harness.results.module_rules import MODULE_RULES
from harness.results.remarks import built_too, left_out_of
from harness.results.report import (
    NOT_SELECTED,
    SCHEMA,
    AskedOptions,
    CitedViolation,
    FailedCallback,
    FailedModule,
    ModuleFiles,
    NotJudged,
    Place,
    PluginOnCase,
    Report,
    RuleFacts,
    RuleOnCase,
    Status,
)
from harness.results.run_plan import ItemId
from harness.results.tally import device_of

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.contract.verdict import Result
    from harness.results.ledger import Certified, Summary
    from harness.results.report import Document
    from harness.results.run_plan import ModulePlan
    from harness.results.tally import CaseRecord

_DISTRIBUTIONS = ("pytest-trt-conformance", "pytest", "numpy", "cupy", "hypothesis")


def document_of(
    options: Options,
    catalogue: Catalogue,
    summary: Summary,
    databases: Sequence[str] = (),
    *,
    interrupted: bool = False,
    root: str = "",
) -> Document:
    """Return the report as plain data; runs with equal results have equal documents.

    Args:
        options: The options of the run.
        catalogue: The rules of the run.
        summary: The results of the run.
        databases: The names of the stores for failing examples.
        interrupted: Whether the user stopped the run, so that missing results were not judged.
        root: The root of the repository, or else the folder where the run was started.
    """
    touched = [certified for certified in summary.plugins if certified.standing is not None]
    results = [result for certified in touched for result in certified.tally.results]
    counts = collections.Counter(result.verdict for result in results)
    named = {module.given: module for module in (*(each.module for each in summary.plugins), *summary.modules)}
    concerned = sorted({record.rule for certified in touched for record in certified.tally.records})
    options_of_run = AskedOptions.from_plain(options.to_plain())
    plugins = tuple(entry for certified in touched for entry in _cases(certified, catalogue))
    skipped = [each for module in summary.described for each in module.skipped]
    package = of_choice(options.runtime.value)
    versions = {
        "python": platform.python_version(),
        **{name: version for name in _DISTRIBUTIONS if (version := version_of(name))},
        **({} if package is None else package.versions()),
    }
    report = Report(
        schema=SCHEMA,
        status=Status.INTERRUPTED if interrupted else Status.COMPLETE,
        versions=versions,
        root=root,
        level=options.level.number,
        seed=options.seeds[0],
        seeds=options.seeds,
        spec=options.spec,
        options=options_of_run,
        databases=tuple(databases),
        counts={verdict.value: counts[verdict] for verdict in Verdict},
        modules=tuple(_module(module, module.failure) for module in summary.modules if module.failure),
        sources=tuple(ModuleFiles(each.name, each.given, **each.written) for each in named.values() if each.written),
        rules={rule: RuleFacts.from_plain(explanation.as_data(catalogue[rule])) for rule in concerned},
        plugins=plugins,
        not_run=tuple(entry for certified in touched for entry in _not_run(certified)),
        left_out=left_out_of(options_of_run, plugins, skipped) or None,
        built_too=built_too(options_of_run, versions, plugins),
        internal_errors=summary.internal,
        baseline=summary.compared,
    )
    document: Document = report.to_plain()
    add_spots(document)
    safe: Document = presentable(document)
    return safe


def _module(module: ModulePlan, failure: Result) -> FailedModule:
    return FailedModule(
        module=module.name,
        given=module.given,
        file=module.file,
        rule=failure.rule,
        verdict=Verdict.FAIL.value,
        **shown(MODULE_RULES[failure.rule], failure),
    )


def _cases(certified: Certified, catalogue: Catalogue) -> Iterator[PluginOnCase]:
    plugin = certified.plugin
    for case in plugin.cases:
        tally = certified.cases[case.name]
        if tally.standing is not None:
            seen = merged(result.seen for result in tally.results)
            yield PluginOnCase(
                key=plugin.key,
                id=ItemId(plugin.label, case.name, "").nodeid,
                case=case.name,
                inferred=case.inferred,
                spec=ApiLevel(case.spec),
                module=certified.module.name,
                interface=plugin.interface.value,
                creator=plugin.creator,
                file=plugin.file,
                line=plugin.line,
                methods={name: Place(**place) for name, place in plugin.methods.items()},
                verdict=tally.standing,
                plugin_verdict=certified.standing or tally.standing,
                evidence=tally.evidence,
                selected=tally.selected,
                total=tally.total,
                kernels_executed=tally.executed,
                stand_ins=tuple(tally.stand_ins),
                doubts=tuple(tally.doubts) or None,
                device=device_of(tally.results),
                formats=formats_of(seen),
                shapes=shapes_of(seen),
                rules=tuple(
                    _rule(catalogue[record.rule], record.result, record) for record in tally.records if record.result
                ),
            )


def _rule(rule: Rule, result: Result, record: CaseRecord) -> RuleOnCase:
    return RuleOnCase(
        id=rule.id,
        severity=result.severity,
        verdict=result.verdict,
        evidence=result.evidence,
        known=record.known,
        device=result.device,
        **shown(rule, result),
        fails=record.failed,
    )


def shown(rule: Rule, result: Result) -> dict[str, Any]:
    """Return the fields that the document has for a result of a rule or of a module, by name."""
    source = str(rule.source)
    return {
        "examples": result.examples or None,
        "replay": result.replay if result.examples else None,
        "drawn": result.drawn,
        "broken": result.broken,
        "reason": result.reason,
        "blocked_by": result.blocked_by,
        "fingerprint": result.fingerprint,
        "order_sensitive": result.order_sensitive,
        "mishap": FailedCallback(**vars(result.mishap)) if result.mishap else None,
        "stack": result.stack or None,
        "violations": tuple(CitedViolation(**vars(each), source=source) for each in result.violations),
    }


def _not_run(certified: Certified) -> Iterator[NotJudged]:
    """Yield the items without a verdict, each with the reason."""
    for record in certified.tally.records:
        nodeid = ItemId(certified.plugin.label, record.case, record.rule).nodeid
        if record.unselected:
            yield NotJudged(nodeid, NOT_SELECTED)
        elif record.result is None or record.origin:
            yield NotJudged(nodeid, record.origin or "it did not run")
        elif record.result.verdict is Verdict.NOT_RUN:
            yield NotJudged(nodeid, record.result.reason)
