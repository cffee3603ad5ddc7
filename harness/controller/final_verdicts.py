"""Decide the verdicts of a case as they are reported: one failure for each defect, few BLOCKED.

Theory. A trial is strict. A rule is BLOCKED if a required rule failed, or if a callback fails that another rule owns.
An author who fixes the defect would then find the next defect, and the next. So each BLOCKED rule is judged again as if
the defect were fixed. If a callback fails, the run goes on with the value that TensorRT uses then. If the format query
is wrong, the case says what types the plugin takes. A rule that passes under this assumption passes. A rule that fails
may fail because of the defect: it stays BLOCKED, and its reason has the violation.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.contract.verdict import (
    Answer,
    InternalError,
    Kind,
    Result,
    Verdict,
    as_if_mended,
    blocked,
    decide,
    stops_dependents,
)
from harness.controller.seeds import seeds_of

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.controller.trial import Trial

#: The callback whose answers the rules of the family FMT are about.
_FORMATS = "supports_format_combination"
#: Callbacks that return an object which rules go on to use: without the object, a rule fails for that reason alone.
_MAKE_OBJECTS = {"attach_to_context", "clone", "create_plugin", "deserialize_plugin", "get_capability_interface"}


class FinalVerdicts:
    """The verdicts on one case of one plugin."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._results: dict[str, Result] = {}

    def result(self, rule: Rule) -> Result:
        """Return the verdict of a rule."""
        if rule.id not in self._results:
            result = self._of_one_cause(rule) if rule.strategy is None else self._attributed(rule)
            is_expected_to_fail = rule.id in self._trial.case.expected_failures
            if result.verdict is Verdict.BLOCKED and rule.strategy is None and not is_expected_to_fail:
                seeds = seeds_of(rule, self._trial.seeds)
                behind = [self._behind_defects(rule, seed, result.blocked_by) for seed in seeds]
                result = as_if_mended(result, behind, unknown=self._trial.case.unknown)
            self._results[rule.id] = dataclasses.replace(result, seen=self._trial.seen_by(rule))
        return self._results[rule.id]

    def _attributed(self, rule: Rule) -> Result:
        """Return the verdict of a fuzz rule: BLOCKED instead of FAIL if one of the trial's named rules fails."""
        result = self._trial.strict_result(rule)
        named = next(filter(self._fails, self._trial.named_rules), None) if result.verdict is Verdict.FAIL else None
        if named is None:
            return result
        reason = f"fails on drawn examples, as {named.id} says: {result.summary}"
        return dataclasses.replace(blocked(rule, self.result(named), spec=self._trial.case.spec), reason=reason)

    def _fails(self, rule: Rule) -> bool:
        try:
            return self.result(rule).verdict is Verdict.FAIL
        except InternalError:  # the rule's own item reports it
            return False

    def _of_one_cause(self, rule: Rule) -> Result:
        """Return the trial's verdict: BLOCKED instead of FAIL if the callback's owner reports the same violation."""
        result = self._trial.strict_result(rule)
        if result.verdict is Verdict.BLOCKED:
            root = self._of_one_cause(self._trial.catalogue[result.blocked_by])
            return dataclasses.replace(result, blocked_by=root.blocked_by or root.rule)
        if result.verdict is not Verdict.FAIL or result.mishap is None or not result.violations:
            return result
        seen = result.violations[-1].what
        owner = self._trial.catalogue.owner(seen.partition(" ")[0], self._trial.interface)
        if owner is None or owner is rule:
            return result
        reported = self._trial.strict_result(owner)
        if reported.verdict is not Verdict.FAIL or seen not in {each.what for each in reported.violations}:
            return result
        return dataclasses.replace(
            blocked(rule, reported, spec=self._trial.case.spec), reason=f"{seen}: reported by {owner.id}"
        )

    def _behind_defects(self, rule: Rule, seed: int, root: str) -> Result:
        """Return the verdict of a rule as if the defect that the rule ``root`` reports were fixed."""
        tolerated = (_FORMATS,) if root.startswith("FMT-") and not rule.id.startswith("FMT-") else ()
        answer = self._trial.answer(rule, seed, tolerated)
        while (callback := self._tolerable(rule, answer)) not in {"", *tolerated}:
            tolerated = (*tolerated, callback)
            answer = self._trial.answer(rule, seed, tolerated)
        is_without_object = answer.fails and not _MAKE_OBJECTS.isdisjoint(tolerated)
        if answer.kind is Kind.BROKEN or is_without_object:
            answer = Answer(Kind.NOT_RUN)  # a rule need not handle values that TensorRT refuses
        return decide(rule, answer, spec=self._trial.case.spec)

    def _tolerable(self, rule: Rule, answer: Answer) -> str:
        """Return the callback that failed in a rule's run if another rule reports this failure; else an empty text."""
        owner = self._trial.owner_of(answer)
        if owner is None or owner is rule or answer.mishap is None or answer.mishap.callback in self._trial.shunned:
            return ""
        return answer.mishap.callback if stops_dependents(self._trial.strict_result(owner)) else ""
