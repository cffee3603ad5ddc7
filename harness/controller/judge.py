"""From (plugin, case, rule) to a verdict: which questions to ask the child, and what their answers mean together.

Theory: a verdict depends on nothing but plugin, case, rule, level and seeds, so everything is remembered and the order
in which items run changes nothing. For a rule on a case:

1. A canonical drive is asked once a case. Where it ends by a death or a deadline in a callback, that is the
   verdict on the rule that *owns* the callback; no other rule of the case gets to call it again.
2. A rule that rests on a rule which failed is BLOCKED.
3. The child judges. If a callback failed where the rule needs its answer, the rule that owns the callback
   reports it, provided that it sees a failure too and does not itself rest on this rule; otherwise this one does.
4. A rule that drives an engine is judged with each seed; where the verdicts differ, that is the failure.
5. A fuzz rule is judged on many examples (``fuzz.search``), whose answers count as one.
6. An expected failure turns FAIL into XFAIL, and PASS and N/A into XPASS.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from harness.contract.interface import Interface
from harness.contract.shard import WHOLE
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import (
    BAD,
    Answer,
    Drawn,
    InternalError,
    Kind,
    Result,
    Verdict,
    blocked,
    decide,
    expect,
    stops_dependents,
)
from harness.controller.fuzz.search import Fuzzing, SearchResult, search, seed_of
from harness.controller.seeds import over_seeds, seeds_of
from harness.protocol.messages import Request
from harness.protocol.requests import APPLICATION, RequestKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.contract.shard import Shard
    from harness.protocol.asked import Asking
    from harness.results.run_plan import CasePlan, PluginPlan


class Runner:
    """Judges the plugins of one module, with the child's own deadline of a request or with another."""

    def __init__(
        self,
        catalogue: Catalogue,
        isolation: Asking,
        seeds: Sequence[int],
        plugins: Mapping[str, PluginPlan],
        level: Thoroughness = Thoroughness.DEFAULT,
        fuzzing: Fuzzing | None = None,
        *,
        deadline: float | None = None,
    ) -> None:
        self._deadline = deadline
        self._fuzzing = fuzzing or Fuzzing()
        self._catalogue = catalogue
        self._isolation = isolation
        self._seeds = tuple(seeds)
        self._plugins = plugins
        self._level = level
        self._trials: dict[tuple[str, str], _Trial] = {}
        self._runs: dict[str, _ApplicationRun] = {}

    def result(self, plugin_key: str, case_name: str, rule_id: str, shard: Shard = WHOLE) -> Result:
        """Return the verdict of a rule, or of one part of its examples, on a case of a plugin.

        Raises:
            harness.contract.verdict.InternalError: The rule or the harness failed, not the plugin.
        """
        if self._plugins[plugin_key].interface is Interface.APPLICATION:
            return self._run_of(plugin_key, case_name).result(self._catalogue[rule_id])
        trial = self._trials.get((plugin_key, case_name))
        if trial is None:
            plugin = self._plugins[plugin_key]
            case = plugin.case(case_name)
            request = Request(
                "",
                plugin.key,
                case.name,
                self._seeds[0],
                self._level.number,
                deadline=self._deadline,
                inferred=case.plain,
            )
            trial = _Trial(self._catalogue, self._isolation, self._seeds, plugin, request, self._fuzzing)
            self._trials[plugin_key, case_name] = trial
        return trial.of_shard(shard).result(self._catalogue[rule_id])

    def forget(self, plugin_key: str, case_name: str) -> None:
        """Drop what is remembered of a case; whoever asks again has it judged again, to the same verdict."""
        self._trials.pop((plugin_key, case_name), None)
        self._runs.pop(plugin_key, None)

    def _run_of(self, key: str, case: str) -> _ApplicationRun:
        if key not in self._runs:
            request = Request("", key, case, self._seeds[0], self._level.number, deadline=self._deadline)
            request = request.asking(RequestKind.APPLICATION)
            self._runs[key] = _ApplicationRun(self._catalogue, self._isolation, self._plugins[key].case(case), request)
        return self._runs[key]


class _ApplicationRun:
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
        """How the run ended; what was running then belongs to the application."""
        answer = self._isolation.ask(self._request)
        if answer.mishap is None:
            return answer
        running = answer.mishap.callback
        how = answer.mishap.how if running == APPLICATION else f"{answer.mishap.how}, in {running}"
        where = f"{self._request.plugin}, {answer.mishap.where}" if running != APPLICATION else self._request.plugin
        becomes = "nothing of what it would have done is judged"
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


class _Trial:
    """One case of one plugin: its answers and verdicts so far."""

    def __init__(
        self,
        catalogue: Catalogue,
        isolation: Asking,
        seeds: tuple[int, ...],
        plugin: PluginPlan,
        request: Request,
        fuzzing: Fuzzing,
        answers: dict[tuple[str, int], Answer] | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._isolation = isolation
        self._seeds = seeds
        self._plugin = plugin
        self._interface = plugin.interface
        self._case = plugin.case(request.case)
        self._request = request
        self._fuzzing = fuzzing
        self._found: dict[str, SearchResult] = {}
        self._answers = {} if answers is None else answers
        self._results: dict[str, Result] = {}
        self._seconds: dict[str, float] = {}
        self._reported: set[tuple[str, int]] = set()
        self._shards: dict[Shard, _Trial] = {}

    def of_shard(self, shard: Shard) -> _Trial:
        """The trial of one part of the examples; it shares the answers to all that is not drawn."""
        if shard.is_whole:
            return self
        if shard not in self._shards:
            self._shards[shard] = _Trial(
                self._catalogue,
                self._isolation,
                self._seeds,
                self._plugin,
                self._request,
                self._fuzzing.of_shard(shard),
                self._answers,
            )
        return self._shards[shard]

    def result(self, rule: Rule) -> Result:
        """Return the verdict of a rule."""
        if rule.id not in self._results:
            result = over_seeds({seed: self._with_seed(rule, seed) for seed in seeds_of(rule, self._seeds)})
            told = self._with_examples(rule, result)
            elsewhere = not rule.source.holds_at(self._case.spec)
            # one part of a rule's examples need not show the failure that is expected
            spared = told.verdict is Verdict.PASS and rule.strategy is not None and not self._fuzzing.shard.is_whole
            failure = None if spared else self._case.expected_failures.get(rule.id)
            expected = expect(told, failure, elsewhere=elsewhere)
            seconds = self._seconds.get(rule.id, 0.0)
            self._results.setdefault(rule.id, dataclasses.replace(expected, seconds=seconds))
        return self._results[rule.id]

    def _with_examples(self, rule: Rule, result: Result) -> Result:
        """The verdict of a fuzz rule with what its examples were drawn from, and with those that it fails by."""
        found = self._found.get(rule.id)
        if found is None:
            return result
        request = dataclasses.replace(self._request, rule=rule.id)
        stream = seed_of(request, shard=self._fuzzing.shard)
        drawn = Drawn(request.seed, f"{stream:016x}", found.judged) if found.judged else None
        result = dataclasses.replace(result, drawn=drawn)
        if result.verdict not in BAD:
            return result
        reason, sensitive = found.reason or result.reason, found.order_sensitive or result.order_sensitive
        return dataclasses.replace(result, examples=found.examples, reason=reason, order_sensitive=sensitive)

    def _with_seed(self, rule: Rule, seed: int) -> Result:
        result = self._settled(rule, seed)
        if result is None:
            answer = self._answer(rule, seed)
            result = decide(rule, answer, owner=self._reporter(rule, answer, seed), spec=self._case.spec)
        return result

    def _settled(self, rule: Rule, seed: int) -> Result | None:
        """The verdict of a rule, unless it hangs on a callback that another rule owns."""
        fatal = self._fatal
        if fatal is not None and self._owner_of(fatal) is rule:
            return decide(rule, fatal, spec=self._case.spec)
        root = self._failed_foundation(rule)
        if root is not None:
            return blocked(rule, root, spec=self._case.spec)
        answer = self._answer(rule, seed)
        if self._owner_of(answer) in {None, rule}:
            return decide(rule, answer, spec=self._case.spec)
        return None

    def _reporter(self, rule: Rule, answer: Answer, seed: int) -> Result | None:
        """The verdict of the rule that owns the callback which this rule met, if that rule reports it."""
        owner = self._owner_of(answer)
        if owner is None or owner is rule or (rule.id, seed) in self._reported:
            return None
        fatal = self._fatal
        tells_in_any_case = fatal is not None and self._owner_of(fatal) is owner
        if not tells_in_any_case and rule.id in self._catalogue.foundations(owner.id):
            return None
        self._reported.add((rule.id, seed))  # rules that rest on rules that meet what they own would ask without end
        return self._settled(owner, self._seeds[0])

    def _failed_foundation(self, rule: Rule) -> Result | None:
        for required in sorted(rule.requires):
            foundation = self._catalogue[required]
            if self._interface in foundation.interfaces:
                result = self.result(foundation)
                if stops_dependents(result):
                    return result
        return None

    def _answer(self, rule: Rule, seed: int) -> Answer:
        if rule.strategy is None:
            deadline = rule.deadline or self._request.deadline
            request = dataclasses.replace(
                self._request, rule=rule.id, seed=seed, shunned=self._shunned, deadline=deadline
            )
            return self._asked(request)
        if rule.id not in self._found:
            request = dataclasses.replace(self._request, rule=rule.id, seed=seed, shunned=self._shunned)
            self._found[rule.id] = search(rule, request, self._case.facts, self._timed, self._fuzzing)
        return self._found[rule.id].answer

    @property
    def _fatal(self) -> Answer | None:
        """How the canonical drive ended, if a callback ended it."""
        answer = self._asked(self._request.asking(RequestKind.PREFLIGHT))
        return answer if answer.kind is Kind.MET and answer.mishap else None

    @property
    def _shunned(self) -> dict[str, str]:
        fatal = self._fatal
        owner = self._owner_of(fatal) if fatal else None
        if fatal is None or fatal.mishap is None or owner is None:
            return {}
        return {fatal.mishap.callback: owner.id}

    def _owner_of(self, answer: Answer) -> Rule | None:
        if answer.kind is not Kind.MET or answer.mishap is None:
            return None
        return self._catalogue.owner(answer.mishap.callback, self._interface)

    def _asked(self, request: Request) -> Answer:
        key = (request.rule, request.seed)
        if key not in self._answers:
            self._answers[key] = self._timed(request)
        return self._answers[key]

    def _timed(self, request: Request) -> Answer:
        """Ask, and note how long the answer took where it was made; who waited how long for it is another matter."""
        answer = self._isolation.ask(request)
        self._seconds[request.rule] = self._seconds.get(request.rule, 0.0) + answer.seconds
        return answer
