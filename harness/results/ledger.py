"""Keep the results of items while they run, and sum them up at the end of the run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.contract.verdict import BAD, Verdict
from harness.results.note import Note, note_of
from harness.results.run_plan import ROOT, ItemId, module_place
from harness.results.tally import NO_CASE, CaseRecord, Standing, Tally, kernels_executed, of_case

if TYPE_CHECKING:
    from harness.contract.catalogue import Catalogue
    from harness.results.baseline import Baseline, Compared
    from harness.results.run_plan import ModulePlan, PluginPlan, RunPlan
    from harness.results.selection import Selection, Taken


class Certified(msgspec.Struct, frozen=True):
    """The results of one plugin in a run.

    Attributes:
        module: The module of the plugin.
        plugin: The plugin.
        tally: The records of all its items.
        cases: The records of each of its cases, by the case's name.
    """

    module: ModulePlan
    plugin: PluginPlan
    tally: Tally
    cases: dict[str, Tally]

    @property
    def standing(self) -> Standing | None:
        """Return the verdict on the plugin; None if no rule of the plugin was selected."""
        return self.tally.standing


class Summary(msgspec.Struct, frozen=True):
    """The summary of a run.

    Attributes:
        plugins: The plugins.
        modules: The selected modules that failed as a whole.
        internal: Internal errors of the harness or of rules.
        compared: The differences between the run and its baseline; None without a baseline.
        described: All modules.
    """

    plugins: tuple[Certified, ...]
    modules: tuple[ModulePlan, ...]
    internal: tuple[str, ...]
    compared: Compared | None = None
    described: tuple[ModulePlan, ...] = ()

    @property
    def has_findings(self) -> bool:
        """Return whether a module or a plugin breaks a rule, as expected or not."""
        verdicts = {*BAD, Verdict.XFAIL, Verdict.XPASS}
        records = (record for each in self.plugins for record in each.tally.records)
        return bool(self.modules) or any(
            record.failed or (record.result is not None and record.result.verdict in verdicts) for record in records
        )

    @property
    def is_good(self) -> bool:
        """Return whether the run succeeds."""
        standings = [certified.standing for certified in self.plugins]
        if self.compared is not None and self.compared.vanished:
            return False
        return not self.modules and all(standing is None or standing.is_good for standing in standings)


class Ledger:
    """The verdicts so far, and the reasons why items have none.

    Attributes:
        sections: The captured output of items that the report shows, by node id.
    """

    def __init__(self) -> None:
        self.sections: dict[str, list[tuple[str, str]]] = {}
        self._verdicts: dict[str, Note] = {}
        self._origins: dict[str, str] = {}
        self._internal: dict[str, str] = {}

    def see(self, report: Any) -> bool:
        """Take the note from a report; return whether the run's section shows a failure of the item."""
        if not is_ours(report) or report.when == "teardown":
            return False
        nodeid = report.nodeid.partition("@")[0]
        note = note_of(report)
        if note is None:
            if not report.passed:
                crash = getattr(report.longrepr, "reprcrash", None)
                lines = str(crash.message if crash else report.longrepr).strip().splitlines() or ["without a message"]
                self._origins[nodeid] = f"{report.outcome} in {report.when} ({lines[-1]})"
            return False
        self.note(nodeid, note)
        if note.result is not None and (note.failed or note.result.verdict in BAD):  # only findings are shown
            self.sections[nodeid] = list(report.sections)
        return note.failed

    def note(self, nodeid: str, note: Note) -> None:
        """Keep the note on an item."""
        if note.result is not None:
            self._verdicts[nodeid] = note
            self._origins.pop(nodeid, None)
        if note.interference:
            self._origins[nodeid] = note.interference
        if note.internal:
            self._internal[nodeid] = note.internal
            self._origins[nodeid] = "the rule or the harness failed by itself"

    def summary(
        self,
        plan: RunPlan,
        catalogue: Catalogue,
        selection: Selection,
        taken: Taken,
        baseline: Baseline | None = None,
    ) -> Summary:
        """Return the summary of the run.

        Args:
            plan: All items that the run could judge.
            catalogue: The rules of the run.
            selection: The items that the user selected.
            taken: The collected items that did not run.
            baseline: The baseline, if the run has one.
        """
        plugins = []
        for module, plugin in plan.plugins:
            places = [place for case in plugin.cases for place in plan.places_on(plugin, case, catalogue)]
            unknown = {case.name for case in plugin.cases if case.unknown}
            records = tuple(self._record(place, selection, taken, unknown) for place in places)
            tally = _tally(records, plugin, catalogue)
            alone = {case.name: _tally(of_case(records, case.name), plugin, catalogue) for case in plugin.cases}
            backed = not tally.proves_nothing
            cases = {name: structs.replace(each, backed=backed) for name, each in alone.items()}
            plugins.append(Certified(module, plugin, tally, cases))
        failed = [module for module in plan.modules if module.failure is not None]
        modules = tuple(module for module in failed if not _is_left_out(module_place(module), selection, taken))
        compared = None if baseline is None else baseline.compared(plan, _by_case(plugins))
        return Summary(tuple(plugins), modules, tuple(self._internal.values()), compared, plan.modules)

    def _record(self, place: ItemId, selection: Selection, taken: Taken, unknown: set[str]) -> CaseRecord:
        nodeid = place.nodeid
        note = self._verdicts.get(nodeid, Note())
        origin = self._origins.get(nodeid) or taken.by_others.get(nodeid, "")
        if place.case in unknown and note.result is not None and note.result.verdict is Verdict.NOT_RUN:
            origin = origin or NO_CASE
        return CaseRecord(
            rule=place.rule,
            case=place.case,
            result=note.result,
            failed=note.failed,
            known=note.known,
            excused=note.excused,
            unselected=_is_left_out(place, selection, taken),
            origin=origin,
        )


def is_ours(report: Any) -> bool:
    """Return whether a report is about an item of this distribution."""
    return str(report.nodeid).startswith(f"{ROOT}::")


def _by_case(plugins: Iterable[Certified]) -> dict[str, tuple[CaseRecord, ...]]:
    """Return the records of each case, by the case's node id."""
    return {
        ItemId(certified.plugin.label, name, "").nodeid: tally.records
        for certified in plugins
        for name, tally in certified.cases.items()
    }


def _is_left_out(place: ItemId, selection: Selection, taken: Taken) -> bool:
    """Return whether the user excluded an item."""
    return not selection.admits(place) or place.nodeid in taken.by_user


def _tally(records: tuple[CaseRecord, ...], plugin: PluginPlan, catalogue: Catalogue) -> Tally:
    return Tally(records, kernels_executed(records, plugin, catalogue))
