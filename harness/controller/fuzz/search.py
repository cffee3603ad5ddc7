"""Search for an example on which a fuzz rule fails, and for the smallest of these.

Theory. First come the examples that a rule lists: bounds and combinations of them. Then Hypothesis generates examples,
until they reach no new code in the plugin or the budget is spent. Examples are judged in batches: one fork judges a
batch, one example after the other. Most searches find no failure, and end there.

If an example of a batch fails, a new fork judges it alone. A crash or a hang counts as a failure, too: the child has
written down which example it began. If the example fails alone and was generated, Hypothesis generates the same
examples again, and shrinks this example. Each try runs in a fork. A try that fails in a different way does not count.
After a hang the search only leaves out steps and lowers numbers.

If the example does not fail alone, the failure needs examples before it in the batch. Perhaps another example of the
batch fails alone. If not, the result is the example with as few examples before it as still make it fail.

At the end the smallest example is judged once more, in a new fork. The report says if it does not fail again. Answers
are remembered, so that Hypothesis always gets the same answer for the same example.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import random
import time
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.cases.facts import Facts
from harness.contract.finding import NotApplicable
from harness.contract.verdict import Answer, Kind
from harness.controller.fuzz.budget import Budget, Novelty
from harness.controller.fuzz.minimize import lowered
from harness.controller.fuzz.progress import Progress
from harness.controller.fuzz.selection import spread
from harness.controller.fuzz.trials import Trials, key_of, signature
from harness.protocol.requests import Watched
from harness.strategies.examples import QUIET, examples_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.contract.rule import Rule
    from harness.controller.fuzz.progress import SearchDisplay
    from harness.controller.fuzz.saved_examples import Memory
    from harness.protocol.messages import Request
    from harness.strategies.examples import Examples as Source

    Examples = Sequence[Any]

#: Examples that are judged in one process.
BATCH = 25
#: Examples that Hypothesis generates in a round, and in the first round, after which most searches end.
_ROUND, _FIRST_ROUND = 200, 2 * QUIET
#: The number of generated examples for each example that is judged.
_MORE = 1.3
#: If the case refuses many examples, at most this many times the budget's number is generated.
_SPARE = 10
#: The note on a search that --plugin-fuzz-time ended.
_LATE = "--plugin-fuzz-time was over: how many examples were judged depends on the machine"


class Fuzzing(msgspec.Struct, frozen=True):
    """The settings of fuzzing in a run: the budget, saved examples and the display."""

    budget: Budget = msgspec.field(default_factory=Budget)
    memory: Memory | None = None
    watch: SearchDisplay | None = None


class SearchResult(msgspec.Struct, frozen=True):
    """The result of a search.

    Attributes:
        answer: One answer for all examples, or the answer for the smallest failing example.
        examples: The examples that fail, one after the other in one process; empty if the rule holds on all.
        reason: A note on the failure, or on a search that time ended.
        order_sensitive: Whether the failure depends on earlier examples, or did not repeat.
        judged: The number of judged examples up to the first failure; shrinking does not count.
    """

    answer: Answer
    examples: tuple[Any, ...] = ()
    reason: str = ""
    order_sensitive: bool = False
    judged: int = 0


def search(
    rule: Rule, request: Request, facts: dict[str, Any], ask: Callable[[Request], Answer], how: Fuzzing
) -> SearchResult:
    """Return the result of a fuzz rule on a case, and remember a failing example.

    Args:
        rule: The fuzz rule.
        request: The request for the rule on the case, with the seed of the run.
        facts: The facts of the case as plain data.
        ask: Sends a request to the child.
        how: The budget, the memory and the display.
    """
    try:
        source = examples_of(rule.strategy(Facts.from_plain(facts)) if rule.strategy else None)
    except NotApplicable as reason:
        return SearchResult(Answer(Kind.NOT_APPLICABLE, reason=str(reason)))
    remembered = _remembered(request, ask, how.memory)
    result = remembered or _Search(source, request, ask, how).run()
    if how.memory is not None and result.examples and not result.order_sensitive:
        how.memory.keep(dataclasses.replace(request, examples=list(result.examples)))
    return result


def seed_of(request: Request, number: int = 0) -> int:
    """Return the seed of a round of examples: it depends on plugin, case, rule, the run's seed and the round."""
    words = f"{request.plugin}::{request.case}::{request.rule}::{request.seed}::{number}"
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")


def _remembered(request: Request, ask: Callable[[Request], Answer], memory: Memory | None) -> SearchResult | None:
    """Return the first saved example that still fails, and forget the examples before it that pass now."""
    if memory is None:
        return None
    for example in memory.saved(request):
        again = dataclasses.replace(request, examples=[example])
        answer = ask(again)
        if answer.fails:
            return SearchResult(answer, (example,), "it failed on this example before, and still does")
        if answer.kind is Kind.JUDGED and answer.evidence:  # an example that was not judged is not fixed
            memory.forget(again)
    return None


class _Search:
    """One search, with the state that it needs: examples judged so far, evidence and time."""

    def __init__(self, source: Source, request: Request, ask: Callable[[Request], Answer], how: Fuzzing) -> None:
        self._source = source
        self._request = request
        self._ask_child = ask
        self._budget = how.budget
        self._novelty = Novelty(source, how.budget)
        self._watch = how.watch
        self._tries: int | None = None
        self._begun = time.monotonic()
        self._seen: set[str] = set()
        self._held: set[str] = set()
        self._evidence = 0
        self._judged = 0
        self._idle: Answer | None = None

    def run(self) -> SearchResult:
        """Return the result of the search, with the number of examples judged."""
        try:
            return structs.replace(self._look(), judged=self._judged)
        finally:
            if self._watch is not None:
                self._watch.end()

    def _look(self) -> SearchResult:
        for number, examples in self._rounds():
            while examples and not self._is_late and not (number and self._novelty.is_over):
                result = self._take(examples, number)
                if result is not None:
                    return result
        if self._idle is not None and not self._evidence:
            return SearchResult(self._idle)
        if self._is_late and not self._evidence:
            return SearchResult(Answer(Kind.NOT_RUN, reason="--plugin-fuzz-time was over before an example was judged"))
        is_cut = self._budget.seconds is not None and not self._is_spent
        return SearchResult(Answer(Kind.JUDGED, evidence=self._evidence), reason=_LATE if is_cut else "")

    def _rounds(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield the listed examples as round 0, then rounds of generated examples.

        Rounds end when the budget is spent, or if Hypothesis generates no new example.
        """
        listed = self._fresh(self._source.listed(random.Random(seed_of(self._request))))  # noqa: S311 - no secret
        yield 0, self._taken(spread(listed))
        for number in itertools.count(1):
            if self._is_spent or self._is_late or self._novelty.is_over:
                return
            fresh = self._fresh(self._drawn(number))
            if not fresh:
                return
            yield number, self._taken(spread(fresh))

    def _fresh(self, examples: list[Any]) -> list[Any]:
        """Return the examples that have not been judged, each once."""
        by_key = {key_of(example): example for example in examples}
        return [example for key, example in by_key.items() if key not in self._seen]

    def _taken(self, examples: list[Any]) -> list[Any]:
        """Return as many of the examples as the budget allows, and note them as seen."""
        chosen = examples[: self._budget.examples - self._judged]
        self._seen.update(map(key_of, chosen))
        return chosen

    def _drawn(self, number: int) -> list[Any]:
        from harness.strategies import hypothesis_settings  # noqa: PLC0415 - it takes a while to import, and not every run fuzzes

        return hypothesis_settings.drawn(self._source, self._size(number), seeded=seed_of(self._request, number))

    def _size(self, number: int) -> int:
        """Return how many examples to generate in a round, a few more than are judged."""
        most = _FIRST_ROUND if number == 1 and self._budget.patience else _ROUND
        return max(1, int(min(self._budget.examples, most) * _MORE))

    @property
    def _is_spent(self) -> bool:
        return self._judged >= self._budget.examples or len(self._seen) >= self._budget.examples * _SPARE

    @property
    def _is_late(self) -> bool:
        limit = self._budget.seconds
        return limit is not None and time.monotonic() - self._begun >= limit

    def _take(self, examples: list[Any], number: int) -> SearchResult | None:
        """Judge the next batch of ``examples`` and remove it from them; return a result if the search ends there."""
        batch = examples[: min(BATCH, self._novelty.left) if number else BATCH]
        answer = self._ask(batch)
        if answer.fails or answer.kind is Kind.BROKEN:
            return self._fallen(batch, answer, number)
        self._passed(batch, answer)
        del examples[: len(batch)]
        beside = answer.kind is Kind.NOT_APPLICABLE or answer.needs_device
        return SearchResult(answer) if beside and not self._evidence else None

    def _fallen(self, batch: list[Any], answer: Answer, number: int) -> SearchResult:
        """Return the result for the example that ended a batch."""
        self._tries = 0
        done = min(answer.done, len(batch) - 1)
        self._held.update(map(key_of, batch[:done]))
        alone = self._ask(batch[done : done + 1]) if done else answer
        if alone.kind is Kind.BROKEN or self._is_shunned(alone):
            return SearchResult(alone)
        self._judged += done - answer.idle + 1
        if alone.fails:
            self._evidence += max(answer.evidence - alone.evidence, 0)
            return self._shrunk(batch[done], alone, number)
        return self._another(batch, number) or self._in_company(batch[: done + 1], answer)

    def _another(self, batch: list[Any], number: int) -> SearchResult | None:
        """Return the result for the first example of a batch that fails alone; None if no example does."""
        for example in batch:
            alone = self._ask([example])
            if alone.fails and not self._is_shunned(alone):
                self._held.discard(key_of(example))
                return self._shrunk(example, alone, number)
        return None

    def _passed(self, batch: list[Any], answer: Answer) -> None:
        self._held.update(map(key_of, batch))
        self._evidence += answer.evidence
        self._judged += len(batch) - answer.idle
        self._novelty.note(answer)
        if answer.kind is not Kind.JUDGED:
            self._idle = self._idle or answer

    def _ask(self, examples: Examples) -> Answer:
        if self._tries is not None:
            self._tries += 1
        if self._watch is not None:
            seconds = time.monotonic() - self._begun
            self._watch.show(Progress(self._request.rule, self._judged, seconds, self._budget, self._tries or 0))
        watched = self._novelty.watched if self._tries is None else Watched.NOTHING
        return self._ask_child(dataclasses.replace(self._request, examples=list(examples), watched=watched))

    def _is_shunned(self, answer: Answer) -> bool:
        return answer.mishap is not None and answer.mishap.callback in self._request.shunned

    def _shrunk(self, example: Any, answer: Answer, number: int) -> SearchResult:
        """Return the result for the smallest example that fails in the same way."""
        if not self._budget.shrinks:
            return SearchResult(self._in_all(answer), (example,))
        trial = Trials(self._ask, answer, example)
        trial.passed(self._held)
        small = self._smallest(trial, number) if number and not answer.overdue else None
        small = lowered(example if small is None else small, trial.first_failing)
        last = self._ask([small])
        if signature(last) != signature(answer) and key_of(small) != key_of(example):
            small, last = example, self._ask([example])  # the small example does not always fail
        if signature(last) == signature(answer):
            return SearchResult(self._in_all(last), (small,))
        return self._unsteady([small], answer)

    def _smallest(self, trial: Trials, number: int) -> Any:
        """Return the smallest failing example that Hypothesis finds when it generates a round again."""
        from harness.strategies import hypothesis_settings  # noqa: PLC0415 - as above

        seeded = seed_of(self._request, number)
        return hypothesis_settings.smallest(self._source, self._size(number), trial.fails, seeded=seeded)

    def _in_company(self, batch: list[Any], answer: Answer) -> SearchResult:
        """Return the result for the last example of a batch, behind one example before it or behind all of them."""
        *before, last = batch
        for earlier in (*([each] for each in before), before):
            again = self._ask([*earlier, last])
            if signature(again) == signature(answer):
                examples = (*earlier, last)
                reason = f"order-sensitive: the last of {len(examples)} examples fails after the others, and not alone"
                return SearchResult(self._in_all(again), examples, reason, order_sensitive=True)
        return self._unsteady(batch, answer)

    def _unsteady(self, examples: list[Any], answer: Answer) -> SearchResult:
        reason = "order-sensitive: it failed once on this example, and not when it was judged again"
        return SearchResult(self._in_all(answer), tuple(examples), reason, order_sensitive=True)

    def _in_all(self, answer: Answer) -> Answer:
        """Return the answer with the evidence of the whole search."""
        return dataclasses.replace(answer, evidence=self._evidence + answer.evidence)
