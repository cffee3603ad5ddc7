"""What the child's answers mean together; a dictionary of answers stands in for the child."""

import dataclasses
import itertools

import pytest
from hypothesis import strategies

from harness.contract.expected_failures import ExpectedFailure
from harness.contract.rule import Severity, Source
from harness.contract.sanitizer_tool import SECONDS, Tool
from harness.contract.verdict import Answer, InternalError, Kind, Result, Verdict
from harness.controller.fuzz.search import Fuzzing
from harness.controller.trial import Trial
from harness.process.failures import INTERFERED
from harness.protocol.messages import Request
from tests.support.controller.answering_child import (
    BROKEN,
    CASE,
    KEY,
    PREFLIGHT,
    RULES,
    Child,
    a_rule,
    catalogue_of,
    met,
    plan_of,
    word,
)


def trial_of(rules, child, seeds, **case):
    plan = plan_of(**case)
    request = Request("", KEY, CASE, seeds[0], inferred=plan.case(CASE).plain)
    return Trial(catalogue_of(rules), child, seeds, plan, request, Fuzzing())


def result_of(trial, rule_id):
    return trial.strict_result(trial.catalogue[rule_id])


def run(answers, *wanted, rules=RULES, seeds=(7,), **case):
    child = Child(answers)
    trial = trial_of(rules, child, seeds, **case)
    return [result_of(trial, rule_id) for rule_id in wanted], child.requests


def verdicts(answers, *wanted, **case):
    return [result.verdict for result in run(answers, *wanted, **case)[0]]


def test_a_rule_that_judges_by_a_tool_gets_more_time():
    _, requests = run({}, "SAN-001", "ENQ-002", rules=[*RULES, a_rule("SAN-001", tool=Tool.MEMCHECK)])
    assert {word(request): request.deadline for request in requests} == {
        PREFLIGHT: None,
        "SAN-001": SECONDS,
        "ENQ-002": None,
    }


def test_a_rule_is_asked_once_and_with_the_seed():
    results, requests = run({}, "ENQ-002", "ENQ-002")
    assert [result.verdict for result in results] == [Verdict.PASS] * 2
    assert [(word(request), request.plugin, request.case, request.seed) for request in requests] == [
        (PREFLIGHT, KEY, CASE, 7),
        ("ENQ-002", KEY, CASE, 7),
    ]


def test_an_inferred_case_travels_with_every_request():
    _, requests = run({}, "ENQ-002", plain={"plugin": "Bar"})
    assert [request.inferred for request in requests] == [{"plugin": "Bar"}] * 2


def test_foundations_are_judged_on_demand():
    _, requests = run({}, "FMT-003")
    assert {word(request) for request in requests} == {PREFLIGHT, "FMT-001", "FMT-002", "FMT-003"}


def test_what_rests_on_a_failure_is_blocked_by_its_root_and_not_asked():
    results, requests = run({"FMT-001": BROKEN}, "FMT-003", "FMT-002")
    assert [(result.verdict, result.blocked_by) for result in results] == [(Verdict.BLOCKED, "FMT-001")] * 2
    assert {word(request) for request in requests} == {PREFLIGHT, "FMT-001"}


def test_a_foundation_that_does_not_concern_the_plugin_blocks_nothing():
    assert verdicts({"V3Q-001": BROKEN}, "SER-001") == [Verdict.PASS]


def test_a_warning_blocks_nothing():
    assert verdicts({"FMT-001": Answer(Kind.NOT_APPLICABLE, reason="no")}, "FMT-001", "FMT-002") == [
        Verdict.NOT_APPLICABLE,
        Verdict.PASS,
    ]


def test_a_failed_callback_belongs_to_the_rule_that_owns_it():
    answers = {"ENQ-001": met("enqueue"), "ENQ-002": met("enqueue")}
    (owner, other), _ = run(answers, "ENQ-001", "ENQ-002")
    assert (owner.verdict, other.verdict, other.blocked_by) == (Verdict.FAIL, Verdict.BLOCKED, "ENQ-001")


def test_a_failed_callback_that_its_owner_does_not_see_is_told_by_the_rule_that_met_it():
    (result,), _ = run({"ENQ-002": met("enqueue")}, "ENQ-002")
    assert result.verdict is Verdict.FAIL
    assert result.violations[0].what == "enqueue raised ValueError: no"


def test_a_failed_callback_that_nobody_owns_is_told_by_the_rule_that_met_it():
    assert verdicts({"ENQ-002": met("terminate")}, "ENQ-002") == [Verdict.FAIL]


def test_an_owner_that_rests_on_a_rule_does_not_tell_what_that_rule_met():
    answers = {"FMT-001": met("clone"), "CLN-001": met("clone")}
    for order in (["FMT-001", "CLN-001"], ["CLN-001", "FMT-001"]):
        results = dict(zip(order, run(answers, *order)[0], strict=True))
        assert results["FMT-001"].verdict is Verdict.FAIL
        assert (results["CLN-001"].verdict, results["CLN-001"].blocked_by) == (Verdict.BLOCKED, "FMT-001")


def test_what_an_owner_meets_in_its_turn_is_told_by_the_last_owner_alone():
    answers = {"ENQ-002": met("enqueue"), "ENQ-001": met("clone"), "CLN-001": met("clone")}
    blocked, owner, root = run(answers, "ENQ-002", "ENQ-001", "CLN-001")[0]
    assert (blocked.verdict, blocked.blocked_by) == (owner.verdict, owner.blocked_by) == (Verdict.BLOCKED, "CLN-001")
    assert root.verdict is Verdict.FAIL


def test_owners_that_meet_each_others_callbacks_both_fail_in_any_order():
    answers = {"ENQ-001": met("supports_format_combination"), "FMT-001": met("enqueue")}
    assert verdicts(answers, "ENQ-001", "FMT-001") == [Verdict.FAIL] * 2
    assert verdicts(answers, "FMT-001", "ENQ-001") == [Verdict.FAIL] * 2


def test_rules_that_lead_to_each_other_in_a_ring_come_to_one_failure():
    ring = [
        a_rule("CLN-001", owns={"clone"}, requires={"FMT-001"}),
        a_rule("ENQ-001", owns={"enqueue"}, requires={"SER-001"}),
        a_rule("FMT-001"),
        a_rule("SER-001"),
    ]
    answers = {"FMT-001": met("enqueue"), "SER-001": met("clone")}
    for order in itertools.permutations(each.id for each in ring):
        found = verdicts(answers, *order, rules=ring)
        assert found.count(Verdict.FAIL) == 1
        assert found.count(Verdict.BLOCKED) == 3


def test_what_kills_the_canonical_drive_fails_its_owner_and_is_called_no_more():
    died = met("enqueue", "died by SIGSEGV")
    (other, owner), requests = run({PREFLIGHT: died, "ENQ-001": died, "ENQ-002": died}, "ENQ-002", "ENQ-001")
    assert (owner.verdict, other.verdict, other.blocked_by) == (Verdict.FAIL, Verdict.BLOCKED, "ENQ-001")
    assert owner.mishap.how == "died by SIGSEGV"
    assert [(word(request), request.shunned) for request in requests] == [
        (PREFLIGHT, {}),
        ("ENQ-002", {"enqueue": "ENQ-001"}),
    ]


def test_what_kills_the_canonical_drive_fails_its_owner_even_if_that_rests_on_a_failure():
    died = met("clone", "died by SIGSEGV")
    assert verdicts({PREFLIGHT: died, "FMT-001": BROKEN}, "CLN-001", "FMT-001") == [Verdict.FAIL] * 2


def test_what_kills_the_canonical_drive_is_not_told_again_by_what_its_owner_rests_on():
    results, _ = run({PREFLIGHT: met("clone", "died by SIGSEGV"), "FMT-001": met("clone")}, "CLN-001", "FMT-001")
    assert [result.verdict for result in results] == [Verdict.FAIL, Verdict.BLOCKED]
    assert results[1].blocked_by == "CLN-001"


def test_a_death_outside_callbacks_is_told_by_the_rule_that_met_it():
    died = met("the plugin", "died by SIGSEGV")
    results, requests = run({PREFLIGHT: died, "ENQ-002": died}, "ENQ-001", "ENQ-002")
    assert [result.verdict for result in results] == [Verdict.PASS, Verdict.FAIL]
    assert all(request.shunned == {} for request in requests)


def test_interference_with_the_drive_fails_each_rule():
    interfered = met("the plugin", f"{INTERFERED}: it replaced numpy.abs")
    results, requests = run({PREFLIGHT: interfered}, "ENQ-001", "ENQ-002")
    assert [result.verdict for result in results] == [Verdict.FAIL, Verdict.FAIL]
    assert [word(request) for request in requests] == [PREFLIGHT]


def test_verdicts_do_not_depend_on_the_order_of_the_questions():
    answers = {
        "FMT-001": met("enqueue"),
        "FMT-002": BROKEN,
        "ENQ-001": met("enqueue"),
        "ENQ-002": met("clone"),
        "CLN-001": met("clone"),
        "FMT-003": met("supports_format_combination"),
    }
    wanted = sorted(answers)
    seen = {
        tuple(sorted((result.rule, result.verdict.value, result.blocked_by) for result in run(answers, *order)[0]))
        for order in itertools.permutations(wanted)
    }
    assert len(seen) == 1


def test_an_expected_failure_is_matched_by_its_fingerprint():
    (failed,), _ = run({"ENQ-002": BROKEN}, "ENQ-002")
    known = {"ENQ-002": ExpectedFailure("see #7", failed.fingerprint)}
    assert verdicts({"ENQ-002": BROKEN}, "ENQ-002", expected_failures=known) == [Verdict.XFAIL]
    assert verdicts({}, "ENQ-002", expected_failures=known) == [Verdict.XPASS]
    other = {"ENQ-002": ExpectedFailure("see #7", "0" * 12)}
    assert verdicts({"ENQ-002": BROKEN}, "ENQ-002", expected_failures=other) == [Verdict.FAIL]


def test_an_expectation_of_a_rule_that_does_not_apply_is_stale_but_at_another_level():
    answers = {"ENQ-002": Answer(Kind.NOT_APPLICABLE, reason="no")}
    known = {"ENQ-002": ExpectedFailure("see #7", "0" * 12)}
    assert verdicts(answers, "ENQ-002", expected_failures=known) == [Verdict.XPASS]
    assert verdicts(answers, "ENQ-002", expected_failures=known, spec="8.6") == [Verdict.XPASS]
    of_10 = dataclasses.replace(RULES[2], source=Source("a header", "a section", versions=("10",)))
    (result,), _ = run(answers, "ENQ-002", rules=[of_10], expected_failures=known, spec="8.6")
    assert result.verdict is Verdict.NOT_APPLICABLE


def test_an_error_of_the_harness_is_no_verdict():
    with pytest.raises(InternalError, match="ENQ-002 failed by itself"):
        run({"ENQ-002": Answer(Kind.BROKEN, reason="ZeroDivisionError")}, "ENQ-002")


DRIVEN = [*RULES, a_rule("DST-007", drives=True), a_rule("DST-008", drives=True, requires={"FMT-001"})]


def test_a_rule_that_drives_an_engine_is_asked_with_each_seed():
    (result,), requests = run({}, "DST-007", rules=DRIVEN, seeds=(0, 1, 2))
    assert [(word(request), request.seed, request.level) for request in requests] == [
        (PREFLIGHT, 0, 5),
        *(("DST-007", seed, 5) for seed in (0, 1, 2)),
    ]
    assert (result.verdict, result.evidence) == (Verdict.PASS, 9)


def test_a_rule_that_drives_an_engine_is_blocked_with_every_seed():
    (result,), _ = run({"FMT-001": BROKEN}, "DST-008", rules=DRIVEN, seeds=(0, 1))
    assert (result.verdict, result.blocked_by) == (Verdict.BLOCKED, "FMT-001")
    (result,), _ = run({"DST-007": met("clone"), "CLN-001": met("clone")}, "DST-007", rules=DRIVEN, seeds=(0, 1))
    assert (result.verdict, result.blocked_by) == (Verdict.BLOCKED, "CLN-001")


def test_what_one_seed_shows_alone_fails_and_can_be_expected():
    class Moody(Child):
        def ask(self, request):
            return BROKEN if (word(request), request.seed) == ("DST-007", 2) else super().ask(request)

    def judged(**case):
        return result_of(trial_of(DRIVEN, Moody({}), (0, 2), **case), "DST-007")

    failed = judged()
    assert (failed.verdict, failed.order_sensitive) == (Verdict.FAIL, True)
    known = {"DST-007": ExpectedFailure("see #7", failed.fingerprint)}
    assert judged(expected_failures=known).verdict is Verdict.XFAIL


def drawn(fails, rule_id="FUZ-001", **facts):
    """Return the result of a fuzz rule that draws numbers to 100, and the examples that were asked for."""

    class Judged(Child):
        def ask(self, request):
            first = next((place for place, each in enumerate(request.examples) if fails(each)), None)
            answer = super().ask(request)
            if request.examples and first is not None:
                return dataclasses.replace(BROKEN, done=first)
            return dataclasses.replace(answer, done=len(request.examples))

    def numbers(_facts):
        return strategies.integers(0, 100)

    rules = [*RULES, a_rule("FUZ-001", strategy=numbers, **facts)]
    child = Judged({})
    trial = trial_of(rules, child, (7, 8))
    return result_of(trial, rule_id), [request for request in child.requests if request.examples]


def test_a_fuzz_rule_is_judged_on_examples_with_the_first_seed():
    result, requests = drawn(lambda _: False)
    assert (result.verdict, result.examples) == (Verdict.PASS, ())
    assert {request.seed for request in requests} == {7}
    assert sum(len(request.examples) for request in requests) == 50


def test_a_fuzz_rule_fails_with_its_smallest_example():
    result, _ = drawn(lambda number: number >= 13)
    assert (result.verdict, result.examples, result.broken) == (Verdict.FAIL, (13,), 1)
    assert Result.from_plain(result.to_plain()) == result


def test_a_warning_has_its_example_too():
    result, _ = drawn(lambda number: number >= 13, severity=Severity.WARNING)
    assert (result.verdict, result.examples) == (Verdict.WARN, (13,))


def test_a_failure_that_does_not_repeat_is_order_sensitive():
    times = iter([True])
    result, _ = drawn(lambda number: number >= 13 and next(times, False))
    assert (result.verdict, result.order_sensitive) == (Verdict.FAIL, True)
    assert "failed once" in result.reason


def test_it_is_told_from_what_the_examples_were_drawn():
    held, failed = drawn(lambda _: False)[0].drawn, drawn(lambda number: number >= 13)[0].drawn
    assert (held.seed, held.judged) == (7, 50)
    assert (failed.seed, failed.stream) == (7, held.stream)
    assert 1 <= failed.judged <= 50
    assert run({}, "ENQ-002")[0][0].drawn is None
