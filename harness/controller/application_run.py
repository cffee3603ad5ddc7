"""One run of an application: all rules about applications are judged by its events."""

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
    """One run of an application, which all rules about applications judge together."""

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
            seconds = self._ended.seconds if rule is owner else 0.0  # the one run counts once
            self._results[rule.id] = dataclasses.replace(result, seconds=seconds)
        return self._results[rule.id]

    def _decided(self, rule: Rule) -> Result:
        answer = self._answers.get(rule.id)
        if answer is None:  # the run did not come to its end: one rule tells, and the others rest on it
            owner = self._catalogue.owner(APPLICATION, Interface.APPLICATION)
            told = decide(owner or rule, self._ended, spec=self._case.spec)
            return told if rule is owner else blocked(rule, told, spec=self._case.spec)
        foundations = (self.result(self._catalogue[each]) for each in sorted(rule.requires))
        failed = next((result for result in foundations if stops_dependents(result)), None)
        return blocked(rule, failed, spec=self._case.spec) if failed else decide(rule, answer, spec=self._case.spec)

    @functools.cached_property
    def _ended(self) -> Answer:
        """Run the application and return the answer; blame the application for a failure of any callback."""
        answer = self._isolation.ask(self._request)
        if answer.mishap is None:
            return answer
        running = answer.mishap.callback
        how = answer.mishap.how if running == APPLICATION else f"{answer.mishap.how}, in {running}"
        where = f"{self._request.plugin}, {answer.mishap.where}" if running != APPLICATION else self._request.plugin
        becomes = "the rest of its run is not judged"
        mishap = dataclasses.replace(answer.mishap, callback=APPLICATION, how=how, where=where, becomes=becomes)
        return dataclasses.replace(answer, mishap=mishap)

    @functools.cached_property
    def _answers(self) -> dict[str, Answer]:
        """The answer to each rule; none where the run did not come to its end."""
        if self._ended.kind is Kind.BROKEN:
            raise InternalError(APPLICATION, self._ended.reason)
        if self._ended.kind is not Kind.JUDGED:
            return {}
        found = {rule: Answer.from_plain(plain) for rule, plain in self._ended.payload.items()}
        captured = self._ended.captured
        return {
            rule: dataclasses.replace(answer, captured=captured) if answer.fails else answer
            for rule, answer in found.items()
        }
