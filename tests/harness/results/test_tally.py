"""The verdict on a plugin follows from the records of its items."""

import pytest

from harness.config.options import FailOn
from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.results.tally import CaseRecord, Standing, Tally, fails


def result(verdict, rule="FMT-001", evidence=0):
    return Result(rule, Severity.ERROR, verdict, evidence)


def judged(verdict, rule="FMT-001", case="a", *, failed=False, evidence=0):
    return CaseRecord(rule, case, result(verdict, rule, evidence), failed)


PASSED = judged(Verdict.PASS)
BY_A_STAND_IN = CaseRecord("ENQ-001", "a", Result("ENQ-001", Severity.ERROR, Verdict.PASS, 1, stand_ins=("scale",)))
NEEDING_A_GPU = CaseRecord("ENQ-002", "a", Result("ENQ-002", Severity.ERROR, Verdict.NOT_RUN, needs_device=True))
LEFT_OUT = CaseRecord("ENQ-001", "a", unselected=True)
TAKEN = CaseRecord("ENQ-001", "a", origin="skipped at conftest.py:4")
LOST = CaseRecord("ENQ-001", "a")
FAILED = judged(Verdict.FAIL, failed=True)


@pytest.mark.parametrize(
    ("records", "executed", "standing"),
    [
        ([PASSED], True, Standing.CONFORMS),
        ([PASSED], None, Standing.CONFORMS),
        ([PASSED], False, Standing.CONFORMS_UNEXECUTED),
        ([BY_A_STAND_IN, PASSED], False, Standing.CONFORMS_BY_STAND_INS),
        ([BY_A_STAND_IN, NEEDING_A_GPU], False, Standing.CONFORMS_UNEXECUTED),
        ([PASSED, LEFT_OUT], True, Standing.PARTIAL),
        ([PASSED, TAKEN], True, Standing.INCOMPLETE),
        ([PASSED, LOST], True, Standing.INCOMPLETE),
        ([FAILED, LOST, LEFT_OUT], True, Standing.FAILS),
        ([judged(Verdict.NOT_APPLICABLE), judged(Verdict.WARN)], True, Standing.FAILS),
        ([judged(Verdict.NOT_RUN), LEFT_OUT], True, Standing.FAILS),
        ([judged(Verdict.WARN), LEFT_OUT], True, Standing.PARTIAL),
        ([judged(Verdict.XFAIL), LEFT_OUT], True, Standing.PARTIAL),
        ([TAKEN, LEFT_OUT], None, Standing.INCOMPLETE),
        ([], None, Standing.INCOMPLETE),
        ([LEFT_OUT], None, None),
    ],
)
def test_standing(records, executed, standing):
    assert Tally(tuple(records), executed).standing is standing


def test_a_case_that_shows_nothing_fails_only_where_no_other_case_shows_anything_of_what_was_selected():
    shown_elsewhere = Tally((judged(Verdict.NOT_RUN), LEFT_OUT), backed=True)
    assert shown_elsewhere.standing is Standing.PARTIAL
    assert Tally((judged(Verdict.NOT_RUN),), backed=True).standing is Standing.FAILS


def test_an_item_with_a_verdict_that_others_interfered_with_is_incomplete():
    record = CaseRecord("FMT-001", "a", result(Verdict.PASS), origin="marked as xfail: later")
    tally = Tally((record, judged(Verdict.PASS, "ENQ-001")))
    assert tally.standing is Standing.INCOMPLETE
    assert tally.incomplete == {"marked as xfail: later": ["FMT-001"]}


def test_a_rule_counts_once_with_its_worst_verdict_over_the_cases():
    records = (
        judged(Verdict.PASS, "FMT-001", "a", evidence=2),
        judged(Verdict.FAIL, "FMT-001", "b", evidence=3, failed=True),
        judged(Verdict.NOT_APPLICABLE, "FMT-002", "a"),
        judged(Verdict.PASS, "FMT-002", "b", evidence=4),
    )
    tally = Tally(records)
    rules = {verdict: rules for verdict, rules in tally.rules_by_verdict().items() if rules}
    assert rules == {Verdict.FAIL: ["FMT-001"], Verdict.PASS: ["FMT-002"]}
    assert (tally.evidence, tally.selected, tally.total) == (9, 2, 2)


@pytest.mark.parametrize(
    ("verdict", "fail_on", "expected"),
    [
        (Verdict.PASS, FailOn.NOT_RUN, False),
        (Verdict.FAIL, FailOn.ERROR, True),
        (Verdict.XPASS, FailOn.ERROR, True),
        (Verdict.XFAIL, FailOn.NOT_RUN, False),
        (Verdict.NOT_APPLICABLE, FailOn.NOT_RUN, False),
        (Verdict.WARN, FailOn.ERROR, False),
        (Verdict.WARN, FailOn.WARNING, True),
        (Verdict.NOTE, FailOn.NOT_RUN, False),
        (Verdict.NOT_RUN, FailOn.WARNING, False),
        (Verdict.NOT_RUN, FailOn.NOT_RUN, True),
    ],
)
def test_what_fails_the_run(verdict, fail_on, expected):
    assert fails(result(verdict), fail_on) is expected


def test_blocked_fails_only_where_its_root_does_not_get_to():
    blocked = result(Verdict.BLOCKED)
    assert not fails(blocked, FailOn.NOT_RUN, root_is_judged=True)
    assert fails(blocked, FailOn.ERROR, root_is_judged=False)


def test_a_rule_counts_once_with_its_worst_verdict():
    tally = Tally((judged(Verdict.PASS, "FUZ-001", evidence=2), judged(Verdict.FAIL, "FUZ-001", evidence=3)))
    assert tally.verdicts() == {"FUZ-001": Verdict.FAIL}
    assert (tally.total, tally.evidence) == (1, 5)
