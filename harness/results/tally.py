"""Count a plugin's results and derive its verdict, by pure functions of records."""

from __future__ import annotations

import collections
import enum
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from harness.config.options import FailOn
from harness.contract.verdict import NO_REFERENCE, WORST_FIRST, Result, Verdict
from harness.results.module_rules import CASE

if TYPE_CHECKING:
    from harness.contract.catalogue import Catalogue
    from harness.results.run_plan import PluginPlan


#: The reason of rules that were not judged because the plugin has no case.
NO_CASE = f"{CASE}: no case is written, and none could be inferred"


class Standing(enum.Enum):
    """The verdict on a plugin, or on one of its cases, the worst first."""

    FAILS = "FAILS"
    INCOMPLETE = "INCOMPLETE"
    FAILS_AS_KNOWN = "FAILS as the baseline does"  # the baseline has all its failures
    PARTIAL = "PARTIAL"  # the user selected some of the rules, and none of them failed
    CONFORMS_UNEXECUTED = "CONFORMS, kernels not executed"
    CONFORMS_BY_STAND_INS = "CONFORMS, kernels replaced by stand-ins"
    CONFORMS = "CONFORMS"

    @property
    def is_good(self) -> bool:
        """Return whether a run with this verdict on a plugin can succeed."""
        return self not in {Standing.INCOMPLETE, Standing.FAILS}


class CaseRecord(msgspec.Struct, frozen=True):
    """The result of one item at the end of a run.

    Attributes:
        rule: The rule.
        case: The case.
        result: Its verdict; None if it did not run.
        failed: Whether its verdict fails the run.
        unselected: Whether the user left it out.
        origin: Why it has no verdict, or which mark or pytest plugin changed its outcome; empty otherwise.
        known: Whether the baseline has its failure.
        excused: Whether its verdict would fail the run without the baseline.
    """

    rule: str
    case: str
    result: Result | None = None
    failed: bool = False
    unselected: bool = False
    origin: str = ""
    known: bool = False
    excused: bool = False


class Tally(msgspec.Struct, frozen=True):
    """The records of one plugin, or of one of its cases.

    Attributes:
        records: The records.
        executed: Whether the kernels ran; None if unknown.
        backed: For the tally of a case: whether the plugin's tally proves something. Then a case with rules left out
            need not prove anything itself.
    """

    records: tuple[CaseRecord, ...]
    executed: bool | None = None
    backed: bool = False

    @property
    def standing(self) -> Standing | None:
        """Return the verdict on the plugin or case; None if the user selected none of its rules."""
        if self.records and all(record.unselected for record in self.records):
            return None
        if any(record.failed for record in self.records) or self.proves_nothing:
            return Standing.FAILS
        if self.incomplete or not self.records:
            return Standing.INCOMPLETE
        return self._standing_of_what_ran

    @property
    def _standing_of_what_ran(self) -> Standing:
        """Return the verdict if all selected rules ran, and none fails the run."""
        if self.excused:
            return Standing.FAILS_AS_KNOWN
        if any(record.unselected for record in self.records):
            return Standing.PARTIAL
        if self.executed is not False:
            return Standing.CONFORMS
        # If a rule lacked a device, there is a kernel that did not run, and that no stand-in replaced.
        lacks_device = not self.stand_ins or any(result.needs_device for result in self.results)
        return Standing.CONFORMS_UNEXECUTED if lacks_device else Standing.CONFORMS_BY_STAND_INS

    @property
    def stand_ins(self) -> list[str]:
        """Return the kernels that functions of the case replaced."""
        return sorted({name for result in self.results for name in result.stand_ins})

    @property
    def compares(self) -> bool:
        """Return whether no rule was NOT-RUN because the case has no reference."""
        return all(result.reason != NO_REFERENCE for result in self.results)

    @property
    def doubts(self) -> list[str]:
        """Return the doubts about reference or tolerance that all results with a comparison share."""
        compared = [set(result.doubts) for result in self.results if result.doubts is not None]
        return sorted(set.intersection(*compared)) if compared else []

    @property
    def proves_nothing(self) -> bool:
        """Return whether all selected rules ran, and none was shown to hold."""
        if self.incomplete or not self.records:
            return False
        verdicts = {result.verdict for result in self.results}
        partial = any(record.unselected for record in self.records)
        if partial and (self.excused or self.backed):
            return False
        return not verdicts & proofs(partial=partial)

    @property
    def excused(self) -> list[str]:
        """Return the rules that would fail the run on some case without the baseline."""
        return sorted({record.rule for record in self.records if record.excused})

    @property
    def failed(self) -> list[str]:
        """Return the rules that fail the run on some case."""
        return sorted({record.rule for record in self.records if record.failed})

    @property
    def results(self) -> list[Result]:
        """Return the results of the items that ran."""
        return [record.result for record in self.records if record.result is not None]

    @property
    def incomplete(self) -> dict[str, list[str]]:
        """Return the selected rules that were not judged, by the reason."""
        by_reason: dict[str, list[str]] = {}
        for record in self.records:
            if not record.unselected and (record.origin or record.result is None):
                rules = by_reason.setdefault(record.origin or "they did not run", [])
                if record.rule not in rules:
                    rules.append(record.rule)
        return by_reason

    @property
    def evidence(self) -> int:
        """Return the number of findings of all results."""
        return sum(result.evidence for result in self.results)

    @property
    def selected(self) -> int:
        """Return the number of rules that were selected on any case."""
        return len({record.rule for record in self.records if not record.unselected})

    @property
    def total(self) -> int:
        """Return the number of rules that concern the plugin."""
        return len({record.rule for record in self.records})

    def rules_by_verdict(self) -> dict[Verdict, list[str]]:
        """Return the rules by the worst verdict that each has on any case."""
        by_verdict: dict[Verdict, list[str]] = {verdict: [] for verdict in WORST_FIRST}
        for rule, verdict in sorted(self.verdicts().items()):
            by_verdict[verdict].append(rule)
        return by_verdict

    def verdicts(self) -> dict[str, Verdict]:
        """Return the worst verdict of each rule over its cases, in the order in which rules were judged."""
        seen: dict[str, set[Verdict]] = collections.defaultdict(set)
        for result in self.results:
            seen[result.rule].add(result.verdict)
        return {rule: next(each for each in WORST_FIRST if each in verdicts) for rule, verdicts in seen.items()}


def proofs(*, partial: bool) -> set[Verdict]:
    """Return the verdicts that prove something: PASS; if rules were left out (``partial``), further ones."""
    return {Verdict.PASS, Verdict.WARN, Verdict.NOTE, Verdict.XFAIL} if partial else {Verdict.PASS}


def fails(result: Result, fail_on: FailOn, *, root_is_judged: bool = True) -> bool:
    """Return whether a verdict fails the run.

    Args:
        result: The verdict.
        fail_on: The value of ``--plugin-fail-on``.
        root_is_judged: For BLOCKED: whether the run judges the rule that blocks, so that this rule's failure counts.
    """
    if result.verdict is Verdict.WARN:
        return fail_on.includes(FailOn.WARNING)
    if result.verdict is Verdict.NOT_RUN:
        return fail_on.includes(FailOn.NOT_RUN)
    if result.verdict is Verdict.BLOCKED:
        return not root_is_judged
    return result.verdict in {Verdict.FAIL, Verdict.XPASS}


def kernels_executed(records: Iterable[CaseRecord], plugin: PluginPlan, catalogue: Catalogue) -> bool | None:
    """Return whether the plugin's own kernels ran; None if the rule that owns ``enqueue`` was not judged."""
    results = [record.result for record in records if record.result]
    if any(result.needs_device or result.stand_ins for result in results):
        return False
    owner = catalogue.owner("enqueue", plugin.interface)
    return True if owner is not None and any(result.rule == owner.id for result in results) else None


def device_of(results: Iterable[Result]) -> str:
    """Return where kernels ran: ``cuda`` if any result comes from a GPU, else ``host``."""
    return max((result.device for result in results), key=("host", "cuda").index, default="host")


def of_case(records: Sequence[CaseRecord], case: str) -> tuple[CaseRecord, ...]:
    """Return the records of one case."""
    return tuple(record for record in records if record.case == case)
