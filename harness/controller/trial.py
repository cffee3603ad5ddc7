"""Ask the child about one case of one plugin, and make strict verdicts of its answers (see ``final_verdicts``)."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.contract.seen import MOST_SHAPES, merged
from harness.contract.verdict import (
    BAD,
    Answer,
    Drawn,
    Kind,
    Result,
    blocked,
    decide,
    expect,
    stops_dependents,
)
from harness.controller.fuzz.search import Fuzzing, SearchResult, search, seed_of
from harness.controller.seeds import over_seeds, seeds_of
from harness.process.failures import interfered
from harness.protocol.requests import RequestKind

if TYPE_CHECKING:
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.contract.seen import Seen
    from harness.protocol.asked import Asking
    from harness.protocol.messages import Request
    from harness.results.run_plan import PluginPlan


class Trial:
    """One case of one plugin: its answers and verdicts so far.

    Attributes:
        catalogue: The rules.
        interface: The plugin's interface.
        case: The case.
        seeds: The seeds of the run.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        isolation: Asking,
        seeds: tuple[int, ...],
        plugin: PluginPlan,
        request: Request,
        fuzzing: Fuzzing,
    ) -> None:
        self.catalogue = catalogue
        self._isolation = isolation
        self.seeds = seeds
        self._plugin = plugin
        self.interface = plugin.interface
        self.case = plugin.case(request.case)
        self._request = request
        self._fuzzing = fuzzing
        self._searches: dict[str, SearchResult] = {}
        self._answers: dict[tuple[str, int, tuple[str, ...]], Answer] = {}
        self._results: dict[str, Result] = {}
        self._seconds: dict[str, float] = {}
        self._seen: dict[str, Seen] = {}
        self._reported: set[tuple[str, int]] = set()

    @property
    def named_rules(self) -> list[Rule]:
        """Return the plugin's rules of this level that use no generated examples and no tool."""
        return [
            rule
            for rule in sorted(self.catalogue.rules.values(), key=lambda each: each.id)
            if rule.strategy is None
            and rule.tool is None
            and rule.level <= self._request.level
            and self.interface in rule.interfaces
        ]

    def strict_result(self, rule: Rule) -> Result:
        """Return the verdict of a rule; BLOCKED if a required rule failed, or another rule reports the failure."""
        if rule.id not in self._results:
            result = over_seeds({seed: self._with_seed(rule, seed) for seed in seeds_of(rule, self.seeds)})
            result = self._with_examples(rule, result)
            elsewhere = not rule.source.holds_at(self.case.spec)
            failure = self.case.expected_failures.get(rule.id)
            expected = expect(result, failure, elsewhere=elsewhere)
            seconds = self._seconds.get(rule.id, 0.0)
            self._results.setdefault(rule.id, dataclasses.replace(expected, seconds=seconds))
        return self._results[rule.id]

    def _with_examples(self, rule: Rule, result: Result) -> Result:
        """Return a fuzz rule's result with the source of its examples and the failing examples; others unchanged."""
        searched = self._searches.get(rule.id)
        if searched is None:
            return result
        request = dataclasses.replace(self._request, rule=rule.id)
        stream = seed_of(request)
        drawn = Drawn(request.seed, f"{stream:016x}", searched.judged) if searched.judged else None
        result = dataclasses.replace(result, drawn=drawn, reason=searched.reason or result.reason)
        if result.verdict not in BAD:
            return result
        sensitive = searched.order_sensitive or result.order_sensitive
        return dataclasses.replace(result, examples=searched.examples, order_sensitive=sensitive)

    def _with_seed(self, rule: Rule, seed: int) -> Result:
        result = self._settled(rule, seed)
        if result is None:
            answer = self.answer(rule, seed)
            result = decide(rule, answer, owner=self._reporter(rule, answer, seed), spec=self.case.spec)
        return result

    def _settled(self, rule: Rule, seed: int) -> Result | None:
        """Return the verdict of a rule; None if a callback failed that another rule owns."""
        fatal = self._fatal
        if fatal is not None and (interfered(fatal) or self.owner_of(fatal) is rule):
            return decide(rule, fatal, spec=self.case.spec)
        root = self._failed_foundation(rule)
        if root is not None:
            return blocked(rule, root, spec=self.case.spec)
        answer = self.answer(rule, seed)
        if self.owner_of(answer) in {None, rule}:
            return decide(rule, answer, spec=self.case.spec)
        return None

    def _reporter(self, rule: Rule, answer: Answer, seed: int) -> Result | None:
        """Return the verdict of the rule that reports the failed callback; None if ``rule`` must report it itself.

        The owner of the callback reports it, unless the owner meets a failure of a callback with another owner. Then
        that owner reports it.
        """
        owner = self.owner_of(answer)
        if owner is None or owner is rule or (rule.id, seed) in self._reported:
            return None
        self._reported.add((rule.id, seed))  # ends the recursion if an owner requires a rule that meets its callback
        met = {rule.id}
        while owner is not None and owner.id not in met:
            fatal = self._fatal
            reports_in_any_case = fatal is not None and self.owner_of(fatal) is owner
            if not reports_in_any_case and rule.id in self.catalogue.foundations(owner.id):
                return None
            result = self._settled(owner, self.seeds[0])
            if result is not None:
                return result
            met.add(owner.id)
            owner = self.owner_of(self.answer(owner, self.seeds[0]))
        return None

    def _failed_foundation(self, rule: Rule) -> Result | None:
        for required in sorted(rule.requires):
            foundation = self.catalogue[required]
            if self.interface in foundation.interfaces:
                result = self.strict_result(foundation)
                if stops_dependents(result):
                    return result
        return None

    def answer(self, rule: Rule, seed: int, tolerated: tuple[str, ...] = ()) -> Answer:
        """Return the child's answer for a rule; failures of the tolerated callbacks do not stop the rule."""
        if rule.strategy is None:
            deadline = rule.deadline or self._request.deadline
            request = dataclasses.replace(
                self._request,
                rule=rule.id,
                seed=seed,
                shunned=self.shunned,
                tolerated=list(tolerated),
                deadline=deadline,
            )
            return self._asked(request)
        if rule.id not in self._searches:
            request = dataclasses.replace(self._request, rule=rule.id, seed=seed, shunned=self.shunned)
            self._searches[rule.id] = search(rule, request, self.case.facts, self._timed, self._fuzzing)
        return self._searches[rule.id].answer

    @property
    def _fatal(self) -> Answer | None:
        """Run the canonical drive once; return its answer if a callback ended it, else None."""
        answer = self._asked(self._request.asking(RequestKind.PREFLIGHT))
        return answer if answer.kind is Kind.MET and answer.mishap else None

    @property
    def shunned(self) -> dict[str, str]:
        """Return the callbacks that must not be called again, each with the id of the rule that reports it."""
        fatal = self._fatal
        owner = self.owner_of(fatal) if fatal else None
        if fatal is None or fatal.mishap is None or owner is None:
            return {}
        return {fatal.mishap.callback: owner.id}

    def owner_of(self, answer: Answer) -> Rule | None:
        """Return the owner of the callback that failed in an answer; None without an owner or a failed callback."""
        if answer.kind is not Kind.MET or answer.mishap is None:
            return None
        return self.catalogue.owner(answer.mishap.callback, self.interface)

    def _asked(self, request: Request) -> Answer:
        key = (request.rule, request.seed, tuple(request.tolerated))
        if key not in self._answers:
            self._answers[key] = self._timed(request)
        return self._answers[key]

    def _timed(self, request: Request) -> Answer:
        """Send a request; note the child's seconds for the answer, without waiting, and the formats and shapes seen."""
        answer = self._isolation.ask(request)
        self._seconds[request.rule] = self._seconds.get(request.rule, 0.0) + answer.seconds
        if answer.seen:
            self._seen[request.rule] = merged([self._seen.get(request.rule), answer.seen], MOST_SHAPES)
        return answer

    def seen_by(self, rule: Rule) -> Seen | None:
        """Return the format answers and the shapes that the rule saw, for pictures; None if it saw none."""
        return self._seen.get(rule.id)
