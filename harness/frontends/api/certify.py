"""Certify plugins without a session of pytest: ``harness.certify``, and the class that decorated tests use, too."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from harness.config.errors import UsageError
from harness.contract.verdict import InternalError
from harness.controller.begin import begin
from harness.controller.host_session import Alone
from harness.controller.prepare import prepare
from harness.frontends.api.keywords import options_of
from harness.frontends.api.report import RuleResult, report_of
from harness.process import flight_recorder
from harness.reports import checkout
from harness.reports.document import document_of
from harness.results.ledger import Ledger
from harness.results.module_rules import MODULE_RULES
from harness.results.note import Note
from harness.results.selection import Taken
from harness.results.tally import proofs

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from harness.config.options import Options
    from harness.contract.verdict import Verdict
    from harness.frontends.api.keywords import Cases, Choices, Module
    from harness.frontends.api.report import Report
    from harness.results.run_plan import ItemId


def certify(
    module: Module,
    cases: Cases = (),
    *,
    on_result: Callable[[RuleResult], None] | None = None,
    **choices: Unpack[Choices],
) -> Report:
    """Certify the plugins of a module, and return the report.

    The verdicts are those of ``pytest --plugin-module`` with the same options. The plugin runs in its own processes.
    These processes have ended when this returns or raises. The caller's process does not change.

    Args:
        module: The module: its dotted name, the path of its file or folder, or the imported module. The file of an
            imported module is imported again, in another process.
        cases: Further cases: dicts or :class:`harness.Case` in memory, and modules or files with ``PLUGIN_CASES``.
        on_result: Called with each verdict as soon as it is known; if it raises, the run ends.
        **choices: The options, named as on the command line: ``level=1``, ``select="FMT"``, ``fail_on="warning"``.
            Environment variables, pytest's ini file and ``pyproject.toml`` are not read.

    Raises:
        UsageError: An argument is wrong: the module or a rule is unknown, or the module has no plugin.
    """
    with contextlib.closing(Certification(options_of(module, cases, choices))) as certification:
        certification.will_run(certification.places)
        for place in certification.places:
            result = certification.result(place)
            if result is not None and on_result is not None:
                on_result(result)
        return certification.report()


class Certification:
    """One run: it judges each item when its verdict is requested, and makes the report.

    Attributes:
        places: The selected items.
    """

    def __init__(self, options: Options) -> None:
        """Have the modules imported and described.

        Raises:
            UsageError: An option is wrong, or the module that is certified starts a certification itself.
        """
        if flight_recorder.is_installed():
            raise UsageError(
                "the module under certification began a certification itself while it was imported. "
                "Put it under if __name__ == '__main__', or into another file"
            )
        self._run = begin(prepare(Alone(), options))
        self._ledger = Ledger()
        self._results: list[RuleResult] = []
        items = self._run.plan.items(self._run.catalogue)
        self._known = {place: (module, plugin) for module, plugin, place in items}
        self.places: tuple[ItemId, ...] = tuple(filter(self._run.selection.admits, self._known))
        self._shown: dict[str, bool] = {}

    def will_run(self, places: Iterable[ItemId]) -> None:
        """Set the items whose verdicts will be requested: BLOCKED may be a failure if its cause is not among them."""
        self._run.will_run(places, Taken())

    def result(self, place: ItemId) -> RuleResult | None:
        """Return a verdict; None if the rule or the harness failed, which the report has as an internal error."""
        try:
            return self.judged(place)
        except InternalError as error:
            self._ledger.note(place.nodeid, Note(internal=str(error)))
            return None

    def judged(self, place: ItemId) -> RuleResult:
        """Return a verdict.

        Raises:
            harness.contract.verdict.InternalError: The rule or the harness failed, not the plugin.
        """
        module, plugin = self._known[place]
        verdict = self._run.judge(module, plugin, place)
        failed = self._run.fails(place, verdict)
        rule = MODULE_RULES[place.rule] if plugin is None else self._run.catalogue[place.rule]
        result = RuleResult.of(place, rule, verdict, failed=failed)
        known, excused = self._run.knows(place, verdict), self._run.excuses(place, verdict)
        self._ledger.note(place.nodeid, Note(verdict, failed, known=known, excused=excused))
        self._results.append(result)
        return result

    def shows_something(self, label: str) -> bool:
        """Return whether a selected rule of a plugin holds or fails; if none does, the plugin counts as failed."""
        if label not in self._shown:
            mine = [place for place in self.places if place.label == label]
            everything = sum(place.label == label for place in self._known)
            holding = proofs(partial=len(mine) < everything)
            self._shown[label] = any(self._is_shown(place, holding) for place in mine)
        return self._shown[label]

    def _is_shown(self, place: ItemId, holding: set[Verdict]) -> bool:
        try:
            result = self._run.judge(*self._known[place], place)
        except InternalError:  # the item itself fails
            return True
        return result.verdict in holding or self._run.fails(place, result)

    def report(self) -> Report:
        """Return the report of the verdicts so far."""
        run = self._run
        summary = self._ledger.summary(run.plan, run.catalogue, run.selection, run.taken, run.baseline)
        root = str(checkout.root_of(Path.cwd()))
        document = document_of(run.options, run.catalogue, summary, run.fuzzing.databases, root=root)
        return report_of(summary, self._results, run.options.level, json.loads(json.dumps(document)))

    def close(self) -> None:
        """End all children, and wait for them: this process may go on for long."""
        self._run.close(entirely=True)
