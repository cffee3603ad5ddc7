"""One defect is one failure, and what passes behind it passes."""

import dataclasses

import pytest
from hypothesis import strategies

from harness.contract.expected_failures import ExpectedFailure
from harness.contract.finding import Violation
from harness.contract.verdict import Answer, Kind, Verdict
from harness.controller.judge import Runner
from tests.support.controller.answering_child import (
    BROKEN,
    CASE,
    HELD,
    KEY,
    RULES,
    Child,
    a_rule,
    catalogue_of,
    met,
    plan_of,
)


def run(answers, *wanted, rules=RULES, child=Child, **case):
    asked = child(answers)
    runner = Runner(catalogue_of(rules), asked, (7,), {KEY: plan_of(**case)})
    return [runner.result(KEY, CASE, rule_id) for rule_id in wanted], asked.requests


def test_what_passes_behind_a_failed_rule_passes_and_says_so():
    (root, middle, top), _ = run({"FMT-001": BROKEN}, "FMT-001", "FMT-002", "FMT-003")
    assert [each.verdict for each in (root, middle, top)] == [Verdict.FAIL, Verdict.PASS, Verdict.PASS]
    assert top.reason == "judged as if FMT-001 passed"


def test_what_fails_behind_a_failed_rule_is_blocked_and_says_what_it_saw():
    (result,), _ = run({"FMT-001": BROKEN, "FMT-002": BROKEN}, "FMT-002")
    assert (result.verdict, result.blocked_by) == (Verdict.BLOCKED, "FMT-001")
    assert result.reason.endswith("this fails too, perhaps because of it: looked past pos")


@pytest.mark.parametrize("answer", [Answer(Kind.NOT_RUN, reason="no"), Answer(Kind.BROKEN, reason="KeyError")])
def test_what_cannot_be_judged_behind_a_failed_rule_is_blocked(answer):
    (result,), _ = run({"FMT-001": BROKEN, "FMT-002": answer}, "FMT-002")
    assert (result.verdict, result.blocked_by, result.reason) == (
        Verdict.BLOCKED,
        "FMT-001",
        "requires FMT-001, which failed",
    )


def test_a_rule_that_lacks_a_case_is_not_blocked_by_a_defect_before_it():
    unknown = "no case gives the plugin's inputs"
    answers = {"FMT-001": BROKEN, "FMT-002": Answer(Kind.NOT_RUN, reason=unknown)}
    (result,), _ = run(answers, "FMT-002", unknown=unknown)
    assert (result.verdict, result.reason) == (Verdict.NOT_RUN, unknown)


def test_what_is_expected_to_fail_stays_blocked():
    known = {"FMT-002": ExpectedFailure("see #7", "0" * 12)}
    (result,), _ = run({"FMT-001": BROKEN}, "FMT-002", expected_failures=known)
    assert result.verdict is Verdict.BLOCKED


def test_a_rule_goes_on_behind_callbacks_that_other_rules_report():
    answers = {"ENQ-001": met("enqueue"), "ENQ-002": met("enqueue")}
    (owner, other), requests = run(answers, "ENQ-001", "ENQ-002")
    assert (owner.verdict, other.verdict) == (Verdict.FAIL, Verdict.PASS)
    assert requests[-1].tolerated == ["enqueue"]


def test_behind_a_wrong_format_query_the_case_says_what_the_plugin_takes():
    rules = [*RULES, a_rule("WSP-001", requires={"FMT-001"})]
    _, requests = run({"FMT-001": BROKEN}, "WSP-001", "FMT-002", rules=rules)
    tolerated = {request.rule: request.tolerated for request in requests}
    assert tolerated["WSP-001"] == ["supports_format_combination"]
    assert tolerated["FMT-002"] == []


def test_a_callback_that_killed_the_process_is_not_called_again():
    died = met("enqueue", "died by SIGSEGV")
    (other,), requests = run({"preflight": died, "ENQ-001": died, "ENQ-002": died}, "ENQ-002")
    assert (other.verdict, other.blocked_by) == (Verdict.BLOCKED, "ENQ-001")
    assert all(request.tolerated == [] for request in requests)


@pytest.mark.parametrize(
    ("named", "verdict", "blocked_by"),
    [
        (BROKEN, Verdict.BLOCKED, "FMT-002"),
        (Answer(Kind.JUDGED, evidence=1), Verdict.FAIL, ""),
        (Answer(Kind.BROKEN, reason="KeyError"), Verdict.FAIL, ""),
    ],
)
def test_where_a_rule_names_the_defect_a_fuzz_rule_says_so_and_does_not_fail(named, verdict, blocked_by):
    rules = [*RULES, a_rule("FUZ-001", strategy=lambda _: strategies.integers(0, 100))]
    (result,), _ = run({"FMT-002": named, "FUZ-001": BROKEN}, "FUZ-001", rules=rules)
    assert (result.verdict, result.blocked_by) == (verdict, blocked_by)
    assert result.reason.startswith("fails on drawn examples, as FMT-002 says: ") == bool(blocked_by)


RAISED = Violation("enqueue raised ValueError: no", "phase execution", "it returns", "it raised", "Mend it.")
SAME = dataclasses.replace(BROKEN, violations=(RAISED,))


def test_a_callback_that_raises_is_reported_once_by_the_rule_that_owns_it():
    rules = [a_rule("ENQ-001", owns={"enqueue"}), a_rule("SER-001"), a_rule("SER-002", requires={"SER-001"})]
    answers = {"ENQ-001": met("enqueue"), "SER-001": met("enqueue"), "SER-002": BROKEN}
    found, _ = run(answers, "ENQ-001", "SER-001", "SER-002", rules=rules)
    assert [each.verdict for each in found] == [Verdict.FAIL, Verdict.PASS, Verdict.BLOCKED]
    assert found[2].blocked_by == "ENQ-001"


def test_a_rule_whose_own_question_is_whether_a_callback_fails_reports_it_as_well():
    rules = [a_rule("ENQ-001", owns={"enqueue"}), a_rule("SER-001")]
    found, _ = run({"ENQ-001": met("enqueue"), "SER-001": SAME}, "ENQ-001", "SER-001", rules=rules)
    assert [each.verdict for each in found] == [Verdict.FAIL] * 2


def test_another_failure_than_the_owner_s_is_a_failure():
    rules = [a_rule("ENQ-001", owns={"enqueue"}), a_rule("SER-001")]
    found, _ = run(
        {"ENQ-001": met("enqueue", "raised KeyError: 1"), "SER-001": SAME}, "ENQ-001", "SER-001", rules=rules
    )
    assert [each.verdict for each in found] == [Verdict.FAIL] * 2


class CloningChild(Child):
    """Gives no clone where that ``clone`` fails is tolerated: the rule then fails for want of one."""

    def ask(self, request):
        answer = super().ask(request)
        return BROKEN if answer is HELD and "clone" in request.tolerated else answer


def test_a_rule_that_fails_for_want_of_an_object_says_only_what_made_none():
    rules = [a_rule("CLN-001", owns={"clone"}), a_rule("SER-001", requires={"CLN-001"})]
    answers = {"CLN-001": met("clone"), "SER-001": met("clone")}
    (result,), _ = run(answers, "SER-001", rules=rules, child=CloningChild)
    assert (result.verdict, result.reason) == (Verdict.BLOCKED, "requires CLN-001, which failed")


def test_a_blocked_rule_keeps_what_its_answers_saw():
    broken, saw = (dataclasses.replace(BROKEN, seen={"shapes": {name: True}}) for name in ("2", "3"))
    (root, middle), _ = run({"FMT-001": broken, "FMT-002": saw}, "FMT-001", "FMT-002")
    assert (root.seen, middle.verdict, middle.seen) == (
        {"shapes": {"2": True}},
        Verdict.BLOCKED,
        {"shapes": {"3": True}},
    )
