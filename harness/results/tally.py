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


#: Why rules have no verdict that need a case where there is none.
NO_CASE = f"{CASE}: no case is written, and none could be inferred"


class Standing(enum.Enum):
    """The verdict on a plugin, or on one of its cases, the worst first."""

    FAILS = "FAILS"
    INCOMPLETE = "INCOMPLETE"
    FAILS_AS_KNOWN = "FAILS as the baseline does"  # nothing fails but what failed when the baseline was written
    PARTIAL = "PARTIAL"  # the user selected some of the rules, and none of them failed
    CONFORMS_UNEXECUTED = "CONFORMS, kernels not executed"
    CONFORMS_BY_STAND_INS = "CONFORMS, kernels replaced by stand-ins"
    CONFORMS = "CONFORMS"

    @property
    def is_good(self) -> bool:
        """Return whether the run may succeed."""
        return self not in {Standing.INCOMPLETE, Standing.FAILS}


class CaseRecord(msgspec.Struct, frozen=True):
    """The result of one item at the end of a run.

    Attributes:
        rule: The rule.
        case: The case.
        result: Its verdict, if it ran.
        failed: Whether its verdict fails the run.
        unselected: Whether the user left it out.
        origin: Why it has no verdict, or who interfered with it; empty otherwise.
        known: Whether the baseline has what it shows.
        excused: Whether it would fail the run, did the baseline not have it.
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
    """The records of one plugin, or of one of its cases."""

    records: tuple[CaseRecord, ...]
    #: Whether the kernels ran; None if nothing tells.
    executed: bool | None = None
    #: Of one case: whether others show that something holds, which is enough where the user left rules out.
    backed: bool = False

    @property
    def standing(self) -> Standing | None:
        """The verdict on the plugin; None if the user selected no rule of it."""
        if self.records and all(record.unselected for record in self.records):
            return None
        if any(record.failed for record in self.records) or self.proves_nothing:
            return Standing.FAILS
        if self.incomplete or not self.records:
            return Standing.INCOMPLETE
        return self._standing_of_what_ran

    @property
    def _standing_of_what_ran(self) -> Standing:
        """The verdict where all that was selected ran, and nothing fails the run."""
        if self.excused:
            return Standing.FAILS_AS_KNOWN
        if any(record.unselected for record in self.records):
            return Standing.PARTIAL
        if self.executed is not False:
            return Standing.CONFORMS
        # Where a device is lacking, a kernel ran neither itself nor by a stand-in.
        lacks_device = not self.stand_ins or any(result.needs_device for result in self.results)
        return Standing.CONFORMS_UNEXECUTED if lacks_device else Standing.CONFORMS_BY_STAND_INS

    @property
    def stand_ins(self) -> list[str]:
        """The kernels in whose place functions of the case's ran."""
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
        """Return whether everything ran and no rule was shown to hold."""
        if self.incomplete or not self.records:
            return False
        verdicts = {result.verdict for result in self.results}
        partial = any(record.unselected for record in self.records)
        if partial and (self.excused or self.backed):
            return False
        return not verdicts & proofs(partial=partial)

    @property
    def excused(self) -> list[str]:
        """The rules that would fail the run on some case, did the baseline not have what they show."""
        return sorted({record.rule for record in self.records if record.excused})

    @property
    def failed(self) -> list[str]:
        """The rules that fail the run on some case."""
        return sorted({record.rule for record in self.records if record.failed})

    @property
    def results(self) -> list[Result]:
        """The verdicts of the items that ran."""
        return [record.result for record in self.records if record.result is not None]

    @property
    def incomplete(self) -> dict[str, list[str]]:
        """The rules that others kept from being judged, by who or what did it."""
        found: dict[str, list[str]] = {}
        for record in self.records:
            if not record.unselected and (record.origin or record.result is None):
                rules = found.setdefault(record.origin or "they did not run", [])
                if record.rule not in rules:
                    rules.append(record.rule)
        return found

    @property
    def evidence(self) -> int:
        """The number of questions judged."""
        return sum(result.evidence for result in self.results)

    @property
    def selected(self) -> int:
        """The number of rules that were not left out on every case."""
        return len({record.rule for record in self.records if not record.unselected})

    @property
    def total(self) -> int:
        """The number of rules that concern the plugin."""
        return len({record.rule for record in self.records})

    def rules_by_verdict(self) -> dict[Verdict, list[str]]:
        """The rules, each under the worst verdict that it has on any case."""
        found: dict[Verdict, list[str]] = {verdict: [] for verdict in WORST_FIRST}
        for rule, verdict in sorted(self.verdicts().items()):
            found[verdict].append(rule)
        return found

    def verdicts(self) -> dict[str, Verdict]:
        """The worst verdict of each rule, over its cases, in the order in which they are judged."""
        seen: dict[str, set[Verdict]] = collections.defaultdict(set)
        for result in self.results:
            seen[result.rule].add(result.verdict)
        return {rule: next(each for each in WORST_FIRST if each in found) for rule, found in seen.items()}


def proofs(*, partial: bool) -> set[Verdict]:
    """Return the verdicts that show that something holds; ``partial``: the user left rules out."""
    return {Verdict.PASS, Verdict.WARN, Verdict.NOTE, Verdict.XFAIL} if partial else {Verdict.PASS}


def fails(result: Result, fail_on: FailOn, *, root_is_judged: bool = True) -> bool:
    """Return whether a verdict fails the run.

    Args:
        result: The verdict.
        fail_on: What the user wants to fail on.
        root_is_judged: For BLOCKED: whether the rule that blocks is part of the run and fails it there.
    """
    if result.verdict is Verdict.WARN:
        return fail_on.includes(FailOn.WARNING)
    if result.verdict is Verdict.NOT_RUN:
        return fail_on.includes(FailOn.NOT_RUN)
    if result.verdict is Verdict.BLOCKED:
        return not root_is_judged
    return result.verdict in {Verdict.FAIL, Verdict.XPASS}


def kernels_executed(records: Iterable[CaseRecord], plugin: PluginPlan, catalogue: Catalogue) -> bool | None:
    """Return whether ``enqueue`` did its work by itself here; None where the rule that owns it was not asked."""
    results = [record.result for record in records if record.result]
    if any(result.needs_device or result.stand_ins for result in results):
        return False
    owner = catalogue.owner("enqueue", plugin.interface)
    return True if owner is not None and any(result.rule == owner.id for result in results) else None


def device_of(results: Iterable[Result]) -> str:
    """Return where kernels ran: on a GPU if any result comes from there."""
    return max((result.device for result in results), key=("host", "cuda").index, default="host")


def of_case(records: Sequence[CaseRecord], case: str) -> tuple[CaseRecord, ...]:
    """Return the records of one case."""
    return tuple(record for record in records if record.case == case)
