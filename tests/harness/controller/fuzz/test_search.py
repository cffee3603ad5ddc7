"""What a search asks the child, and what it makes of the answers; a function stands in for the child."""

import dataclasses
import itertools

import pytest
from hypothesis import strategies

import harness.controller.fuzz.search
from harness.contract.finding import CallbackFailure, Finding, NotApplicable, Violation
from harness.contract.rule import Source, rule
from harness.contract.verdict import Answer, Kind
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.search import BATCH, Fuzzing, search, seed_of
from harness.protocol.messages import Request

REQUEST = Request("FUZ-009", "/Bar/1", "rows", seed=3)
HELD = Answer(Kind.JUDGED, evidence=2)
IDLE = Answer(Kind.NOT_RUN, reason="the case does not allow it")
WRONG = Answer(
    Kind.JUDGED, evidence=2, broken=1, violations=(Violation("wrong at 7", "enqueue", "right", "wrong", "Mend it."),)
)
CRASH = Answer(Kind.MET, mishap=CallbackFailure("enqueue", "died by SIGSEGV"))
HANG = Answer(Kind.MET, mishap=CallbackFailure("enqueue", "did not return within 20 s"), overdue=True)
BROKEN = Answer(Kind.BROKEN, reason="Traceback")


def pairs(_facts):
    return strategies.tuples(strategies.integers(0, 100), strategies.integers(0, 100)).map(list)


def a_rule(strategy=pairs):
    def judge(_subject, _example):
        """It holds."""
        yield Finding()

    return rule("FUZ-009", source=Source("a document", "a section"), strategy=strategy)(judge)


class Child:
    """Judges the examples of a request one after the other, up to the first that fails."""

    def __init__(self, answer_to):
        self.answer_to = answer_to
        self.requests = []

    def ask(self, request):
        self.requests.append(request)
        evidence = idle = 0
        for done, example in enumerate(request.examples):
            answer = self.answer_to(example)
            if answer.fails or answer.kind is Kind.BROKEN:
                return dataclasses.replace(answer, evidence=evidence + answer.evidence, done=done, idle=idle)
            evidence += answer.evidence
            idle += answer.kind is not Kind.JUDGED
        whole = answer if idle == len(request.examples) else Answer(Kind.JUDGED)
        return dataclasses.replace(whole, evidence=evidence, done=len(request.examples), idle=idle)

    @property
    def examples(self):
        return [example for request in self.requests for example in request.examples]


class Memory:
    def __init__(self, *examples):
        self.examples = list(examples)

    def saved(self, _request):
        return list(self.examples)

    def keep(self, request):
        self.examples += [example for example in request.examples if example not in self.examples]

    def forget(self, request):
        self.examples = [example for example in self.examples if example not in request.examples]


def found(answer_to, *, strategy=pairs, memory=None, request=REQUEST, **budget):
    child = Child(answer_to)
    how = Fuzzing(Budget(**{"patience": None, **budget}), memory)
    return search(a_rule(strategy), request, {}, child.ask, how), child


def test_what_holds_is_asked_in_batches():
    result, child = found(lambda _: HELD)
    assert result.answer == Answer(Kind.JUDGED, evidence=100)
    assert result.examples == ()
    assert [len(request.examples) for request in child.requests] == [BATCH, BATCH]
    assert len({str(example) for example in child.examples}) == 50


@pytest.mark.parametrize("number", [1, 7, 333])
def test_the_budget_is_a_number_of_examples(number):
    result, child = found(lambda _: HELD, examples=number)
    assert result.answer.evidence == 2 * number
    assert len(child.examples) == number


def test_no_time_no_examples():
    result, child = found(lambda _: HELD, seconds=0.0)
    assert (result.answer.evidence, child.requests) == (0, [])
    assert "--plugin-fuzz-time" in result.answer.reason


def test_a_search_that_the_clock_ended_says_so(monkeypatch):
    clock = itertools.count()
    monkeypatch.setattr(harness.controller.fuzz.search.time, "monotonic", lambda: next(clock))
    result, _ = found(lambda _: HELD, seconds=10.0, examples=10**6)
    assert result.answer.evidence
    assert "--plugin-fuzz-time" in result.reason
    assert not found(lambda _: HELD)[0].reason


def test_the_same_seed_asks_the_same_and_another_one_does_not():
    asked = [found(lambda _: HELD, request=dataclasses.replace(REQUEST, seed=seed))[1].examples for seed in (3, 3, 4)]
    assert asked[0] == asked[1] != asked[2]
    assert len({seed_of(REQUEST), seed_of(dataclasses.replace(REQUEST, case="other")), seed_of(REQUEST, 1)}) == 3


@pytest.mark.parametrize("failure", [WRONG, CRASH], ids=["wrong", "crash"])
def test_the_smallest_failing_example_is_found(failure):
    result, child = found(lambda pair: failure if pair[0] >= 5 and pair[1] % 16 == 7 else HELD)
    assert result.examples == ([5, 7],)
    assert (result.answer.violations, result.answer.mishap) == (failure.violations, failure.mishap)
    assert child.requests[-1].examples == [[5, 7]], "it is judged once more, from nothing"
    assert not result.order_sensitive
    assert not result.reason


def test_where_nothing_shall_shrink_the_first_failing_example_stands():
    child = Child(lambda example: WRONG if sum(example) >= 7 else HELD)
    found = search(a_rule(), REQUEST, {}, child.ask, Fuzzing(Budget(shrinks=False)))
    asked = [request.examples for request in child.requests]
    assert asked[-1] == [list(found.examples[0])]
    assert len(child.requests) <= 2 + len(child.examples) // BATCH


def test_a_failure_counts_all_that_was_judged_before():
    result, child = found(lambda pair: WRONG if pair[0] == 50 else HELD, examples=500)
    assert result.examples == ([50, 0],)
    assert result.answer.evidence % 2 == 0
    assert 2 < result.answer.evidence <= 2 * len(child.examples)
    assert result.answer.broken == 1


@pytest.mark.parametrize("position", [1, 4, 25, 26, 50])
def test_examples_are_counted_up_to_the_first_that_fails(position):
    _, child = found(lambda _: HELD)
    fatal = child.examples[position - 1]
    result, _ = found(lambda pair: WRONG if pair == fatal else HELD)
    assert (result.answer.fails, result.judged) == (True, position)


def test_of_all_examples_those_with_nothing_to_judge_are_not_counted():
    assert found(lambda _: HELD)[0].judged == 50
    result, child = found(lambda pair: HELD if pair[0] % 3 else IDLE, examples=20)
    assert result.judged == sum(pair[0] % 3 > 0 for pair in child.examples)
    assert found(lambda _: IDLE)[0].judged == 0


def hangs_of(child):
    return sum(any(child.answer_to(example).overdue for example in request.examples) for request in child.requests)


def test_a_hang_shrinks_by_few_tries_that_hang():
    result, child = found(lambda pair: HANG if pair[0] >= 60 else HELD)
    assert result.examples == ([60, 0],)
    assert hangs_of(child) <= 1 + 1 + 3 + 1, "in its batch, alone, while it shrinks, and in the end"


def test_a_hang_that_goes_on_shrinking_ends_after_some_tries():
    result, child = found(lambda pair: HANG if sum(pair) >= 60 else HELD)
    assert sum(result.examples[0]) >= 60
    assert hangs_of(child) <= 1 + 1 + 3 + 1


def test_each_request_has_the_whole_deadline():
    _, child = found(lambda pair: HANG if pair[0] >= 60 else HELD)
    assert {request.deadline for request in child.requests} == {None}


def test_an_example_is_not_shrunk_to_another_failure():
    result, _ = found(lambda pair: CRASH if pair[0] >= 50 else WRONG if 0 < pair[0] < 5 else HELD)
    assert result.examples in [([50, 0],), ([1, 0],)]


def test_a_failure_that_does_not_repeat_is_told_as_such():
    times = iter([WRONG])
    result, _ = found(lambda pair: next(times, HELD) if pair[0] > 50 else HELD)
    assert result.answer.fails
    assert result.order_sensitive
    assert "failed once" in result.reason


def test_a_failure_that_comes_and_goes_is_no_internal_error():
    times = iter([WRONG, WRONG])
    result, _ = found(lambda pair: next(times, HELD) if pair[0] > 50 else HELD)
    assert result.order_sensitive


class Leaky(Child):
    """Fails at an even number after an odd one in the same process."""

    def ask(self, request):
        self.odd = False
        return super().ask(request)


def test_a_failure_in_company_is_told_with_its_company():
    def answer_to(pair):
        fails = child.odd and pair[0] % 2 == 0
        child.odd = pair[0] % 2 == 1
        return WRONG if fails else HELD

    child = Leaky(answer_to)
    result = search(a_rule(), REQUEST, {}, child.ask, Fuzzing())
    first, second = result.examples
    assert (first[0] % 2, second[0] % 2) == (1, 0)
    assert result.order_sensitive
    assert "not alone" in result.reason


def test_what_fails_alone_is_looked_for_among_its_company():
    def answer_to(pair):
        child.odd += pair[0]
        return WRONG if child.odd > 60 else HELD

    child = Leaky(answer_to)
    result = search(a_rule(), REQUEST, {}, child.ask, Fuzzing(Budget(patience=None)))
    assert result.examples == ([61, 0],)
    assert not result.order_sensitive


def test_where_the_case_allows_little_more_is_drawn():
    result, child = found(lambda pair: HELD if pair[0] % 3 == 0 else IDLE)
    assert 90 <= result.answer.evidence <= 100
    assert 100 < len(child.examples) < 500


def test_where_the_case_allows_nothing_that_is_said():
    result, child = found(lambda _: IDLE)
    assert (result.answer.kind, result.answer.reason) == (Kind.NOT_RUN, IDLE.reason)
    assert 500 <= len(child.examples) < 550


@pytest.mark.parametrize(
    "answer", [Answer(Kind.NOT_APPLICABLE, reason="no"), Answer(Kind.NOT_RUN, reason="no", needs_device=True)]
)
def test_what_does_not_concern_the_plugin_is_asked_once(answer):
    result, child = found(lambda _: answer)
    assert (result.answer.kind, result.answer.needs_device) == (answer.kind, answer.needs_device)
    assert len(child.requests) == 1


def test_nothing_to_draw_is_not_applicable():
    def nothing(_facts):
        raise NotApplicable("one shape only")

    result, child = found(lambda _: HELD, strategy=nothing)
    assert (result.answer.kind, result.answer.reason) == (Kind.NOT_APPLICABLE, "one shape only")
    assert child.requests == []


def test_a_defect_of_the_rule_is_handed_on():
    result, _ = found(lambda pair: BROKEN if pair[0] > 50 else HELD)
    assert result.answer.kind is Kind.BROKEN
    assert result.examples == ()


def test_a_shunned_callback_is_not_shrunk():
    shunned = dataclasses.replace(REQUEST, shunned={"enqueue": "ENQ-010"})
    result, child = found(lambda _: CRASH, request=shunned)
    assert result.answer.mishap == CRASH.mishap
    assert len(child.requests) == 1


def test_what_failed_before_comes_first_and_is_marked():
    memory = Memory([1, 2])
    result, child = found(lambda pair: WRONG if pair == [1, 2] else HELD, memory=memory)
    assert result.examples == ([1, 2],)
    assert "before" in result.reason
    assert child.examples == [[1, 2]]


def test_what_is_mended_is_forgotten():
    memory = Memory([1, 2])
    result, child = found(lambda _: HELD, memory=memory)
    assert not result.answer.fails
    assert memory.examples == []
    assert len(child.examples) == 51


def test_each_that_failed_before_is_judged_alone_up_to_the_first_that_still_does():
    memory = Memory([1, 2], [3, 4], [5, 6])
    result, child = found(lambda pair: WRONG if pair == [3, 4] else HELD, memory=memory)
    assert (result.examples, result.judged) == (([3, 4],), 0), "none was drawn"
    assert child.examples == [[1, 2], [3, 4]]
    assert memory.examples == [[3, 4], [5, 6]], "what holds is forgotten, what was not judged is not"


def test_what_cannot_be_judged_here_is_not_forgotten():
    memory = Memory([1, 2])
    found(lambda _: Answer(Kind.NOT_RUN, reason="no", needs_device=True), memory=memory)
    assert memory.examples == [[1, 2]]
    found(lambda _: IDLE, memory=memory)
    assert memory.examples == [[1, 2]], "what the case does not allow today it may allow tomorrow"


def test_what_fails_is_remembered():
    memory = Memory()
    found(lambda pair: WRONG if pair[0] >= 5 else HELD, memory=memory)
    assert memory.examples == [[5, 0]]


class Watching:
    def __init__(self):
        self.seen = []

    def show(self, progress):
        self.seen.append((progress.rule, progress.judged, progress.of, progress.tries))

    def end(self):
        self.seen.append("over")


def test_whoever_watches_is_told_before_each_request():
    watch = Watching()
    search(a_rule(), REQUEST, {}, Child(lambda _: HELD).ask, Fuzzing(Budget(patience=None), watch=watch))
    assert watch.seen == [("FUZ-009", 0, 50, 0), ("FUZ-009", 25, 50, 0), "over"]


def test_the_tries_of_a_failure_are_counted_for_whoever_watches():
    watch = Watching()
    child = Child(lambda pair: WRONG if pair[0] >= 5 else HELD)
    search(a_rule(), REQUEST, {}, child.ask, Fuzzing(watch=watch))
    *told, last = watch.seen
    assert last == "over"
    assert [tries for *_, tries in told] == [0, *range(1, len(child.requests))]
