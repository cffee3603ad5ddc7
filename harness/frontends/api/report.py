"""Define the immutable records that ``harness.certify`` returns and passes to ``on_result``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict
from harness.reports import story
from harness.results.module_rules import MODULE_RULES
from harness.results.plugin_line import plugin_line
from harness.results.tally import Standing

if TYPE_CHECKING:
    from harness.contract.finding import Violation
    from harness.contract.rule import Rule, Severity
    from harness.contract.thoroughness import Thoroughness
    from harness.contract.verdict import Result
    from harness.results.ledger import Summary
    from harness.results.run_plan import ItemId

__all__ = ["CertificationError", "PluginVerdict", "Report", "RuleResult", "Standing", "Verdict", "report_of"]


class CertificationError(AssertionError):
    """Plugins do not conform; the message lists the broken rules as pytest's report does."""


@dataclasses.dataclass(frozen=True)
class RuleResult:
    """The verdict of one rule on one case of a plugin.

    Attributes:
        id: The node id that pytest shows, for example ``conformance::/Bar/1::rows::FMT-001``.
        plugin: The plugin's key, ``namespace/Name/version``; empty where the module itself failed.
        case: The case's name; empty where the module itself failed.
        rule: The rule's id; ``IMPORT``, ``REGISTRY`` or ``CASE`` where the module itself failed.
        requirement: What the rule requires, in a sentence.
        severity: How bad it is to break the rule.
        verdict: The verdict.
        failed: Whether the verdict makes ``ok`` of the report false.
        evidence: The number of checks that the verdict rests on.
        reason: Why the rule did not judge, or the reason of its verdict; empty without a reason.
        violations: The first violations.
        fingerprint: Identifies the defect in ``expected_failures`` of a case; empty without a violation.
        text: The result as text; one line if the rule holds.
    """

    id: str
    plugin: str
    case: str
    rule: str
    requirement: str
    severity: Severity
    verdict: Verdict
    failed: bool
    evidence: int
    reason: str
    violations: tuple[Violation, ...]
    fingerprint: str
    text: str

    @classmethod
    def of(cls, place: ItemId, rule: Rule, result: Result, *, failed: bool) -> RuleResult:
        """Return the public record of a result."""
        of_module = rule.id in MODULE_RULES
        head = f"{result.word} · {rule.heading}"
        bad = failed or bool(result.violations)
        return cls(
            id=place.nodeid,
            plugin="" if of_module else place.key,
            case=place.case,
            rule=rule.id,
            requirement=rule.requirement,
            severity=result.severity,
            verdict=result.verdict,
            failed=failed,
            evidence=result.evidence,
            reason=result.reason,
            violations=result.violations,
            fingerprint=result.fingerprint,
            text="\n".join([head, *(story.fields(story.of_result(rule, result)) if bad else ())]),
        )


@dataclasses.dataclass(frozen=True)
class PluginVerdict:
    """The verdict on a plugin.

    Attributes:
        key: ``namespace/Name/version``.
        standing: The verdict over all its cases.
        text: The verdict in one line.
    """

    key: str
    standing: Standing
    text: str


@dataclasses.dataclass(frozen=True)
class Report:
    """The result of a certification.

    Attributes:
        plugins: The verdict on each plugin.
        results: The verdict of each rule on each case, in the order of judging.
        ok: Whether all plugins conform, as far as rules were selected. PARTIAL marks a plugin with rules left out.
        internal_errors: Failures of the harness or of a rule by itself; with any, ``ok`` is false.
        document: The report as plain data, which ``--plugin-report=json:PATH`` writes.
    """

    plugins: tuple[PluginVerdict, ...]
    results: tuple[RuleResult, ...]
    ok: bool
    internal_errors: tuple[str, ...]
    document: dict[str, Any] = dataclasses.field(repr=False)

    def text(self) -> str:
        """Return all failures and warnings in full, and a last line for each plugin."""
        return "\n".join(self._lines())

    def raise_for_failures(self) -> None:
        """Raise an error unless ``ok`` is true.

        Raises:
            CertificationError: ``ok`` is false; the message is :meth:`text`.
        """
        if not self.ok:
            raise CertificationError(self.text())

    def _lines(self) -> Iterator[str]:
        for result in self.results:
            if result.failed or result.verdict in {Verdict.WARN, Verdict.NOTE}:
                yield f"{result.id}\n{result.text}"
        yield from self.internal_errors
        for entry in self.document["modules"]:
            yield f"FAILS · {entry['module']} · the module"
        yield from (plugin.text for plugin in self.plugins)


def report_of(summary: Summary, results: list[RuleResult], level: Thoroughness, document: dict[str, Any]) -> Report:
    """Return the report of a certification."""
    verdicts = (
        PluginVerdict(each.plugin.key, standing, plugin_line(each.plugin.label, standing, each.tally, level))
        for each in summary.plugins
        if (standing := each.standing)
    )
    return Report(
        plugins=tuple(verdicts),
        results=tuple(results),
        ok=summary.is_good and not summary.internal,
        internal_errors=summary.internal,
        document=document,
    )
