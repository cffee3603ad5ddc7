"""Judge the rules about applications by one run of the user's program."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from harness.contract.interface import Interface
from harness.contract.verdict import Answer, InternalError, Kind, Result, blocked, decide, expect, stops_dependents
from harness.protocol.requests import APPLICATION

if TYPE_CHECKING:
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.protocol.asked import Asking
    from harness.protocol.messages import Request
    from harness.results.run_plan import CasePlan


class ApplicationRun:
    """One run of an application, by which all rules about applications are judged."""

    def __init__(self, catalogue: Catalogue, isolation: Asking, case: CasePlan, request: Request) -> None:
        self._catalogue = catalogue
        self._isolation = isolation
        self._case = case
        self._request = request
        self._results: dict[str, Result] = {}

    def result(self, rule: Rule) -> Result:
        """Return the verdict of a rule."""
        if rule.id not in self._results:
            elsewhere = not rule.source.holds_at(self._case.spec)
            expected = self._case.expected_failures.get(rule.id)
            result = expect(self._decided(rule), expected, elsewhere=elsewhere)
            owner = self._catalogue.owner(APPLICATION, Interface.APPLICATION)
            seconds = self._ended.seconds if rule is owner else 0.0  # the time of the run counts once
            self._results[rule.id] = dataclasses.replace(result, seconds=seconds)
        return self._results[rule.id]

    def _decided(self, rule: Rule) -> Result:
        answer = self._answers.get(rule.id)
        if answer is None:  # the run failed: one rule reports that, and the failure blocks the other rules
            owner = self._catalogue.owner(APPLICATION, Interface.APPLICATION)
            failure = decide(owner or rule, self._ended, spec=self._case.spec)
            return failure if rule is owner else blocked(rule, failure, spec=self._case.spec)
        foundations = (self.result(self._catalogue[each]) for each in sorted(rule.requires))
        failed = next((result for result in foundations if stops_dependents(result)), None)
        return blocked(rule, failed, spec=self._case.spec) if failed else decide(rule, answer, spec=self._case.spec)

    @functools.cached_property
    def _ended(self) -> Answer:
        """Run the application and return the answer; a failure in any callback counts as the application's."""
        answer = self._isolation.ask(self._request)
        if answer.mishap is None:
            return answer
        running = answer.mishap.callback
        how = answer.mishap.how if running == APPLICATION else f"{answer.mishap.how}, in {running}"
        where = f"{self._request.plugin}, {answer.mishap.where}" if running != APPLICATION else self._request.plugin
        becomes = "the rest of its run is not judged"
        failure = dataclasses.replace(answer.mishap, callback=APPLICATION, how=how, where=where, becomes=becomes)
        return dataclasses.replace(answer, mishap=failure)

    @functools.cached_property
    def _answers(self) -> dict[str, Answer]:
        """Return the answer for each rule; empty if the run failed."""
        if self._ended.kind is Kind.BROKEN:
            raise InternalError(APPLICATION, self._ended.reason)
        if self._ended.kind is not Kind.JUDGED:
            return {}
        answers = {rule: Answer.from_plain(plain) for rule, plain in self._ended.payload.items()}
        captured = self._ended.captured
        return {
            rule: dataclasses.replace(answer, captured=captured) if answer.fails else answer
            for rule, answer in answers.items()
        }
