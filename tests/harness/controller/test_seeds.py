"""A rule that drives an engine is judged with each seed, and seeds that disagree are a failure."""

import pytest

from harness.contract.finding import Violation
from harness.contract.rule import Severity, Source, rule
from harness.contract.verdict import Result, Verdict
from harness.controller.seeds import over_seeds, seeds_of

VIOLATION = Violation("destroyed twice", "destroy", "once", "twice", "Destroy once.")


def a_rule(**facts):
    def judge(subject):
        """It holds."""

    return rule("DST-007", source=Source("a document", "a section"), **facts)(judge)


def a_result(verdict, **more):
    return Result("DST-007", Severity.ERROR, verdict, **more)


FAILED = a_result(Verdict.FAIL, evidence=2, broken=1, violations=(VIOLATION,))


def test_only_rules_that_drive_an_engine_need_further_seeds():
    assert seeds_of(a_rule(), (3, 4)) == (3,)
    assert seeds_of(a_rule(drives=True), (3, 4)) == (3, 4)


def test_seeds_that_agree_add_their_evidence():
    assert over_seeds({0: a_result(Verdict.PASS, evidence=3), 1: a_result(Verdict.PASS, evidence=4)}).evidence == 7
    assert over_seeds({0: FAILED, 1: FAILED}).fingerprint == FAILED.fingerprint


@pytest.mark.parametrize("warning", [Verdict.FAIL, Verdict.WARN])
def test_seeds_that_differ_are_a_failure_with_both_seeds(warning):
    broken = a_result(warning, evidence=1, broken=1, violations=(VIOLATION,))
    result = over_seeds({0: a_result(Verdict.PASS, evidence=3), 4: broken})
    assert (result.verdict, result.order_sensitive, result.violations) == (Verdict.FAIL, True, (VIOLATION,))
    assert result.reason.startswith(f"order-sensitive: PASS with seed 0, {warning.value} with seed 4; --plugin-seed=4 ")


def test_seeds_that_differ_without_a_violation_get_one():
    result = over_seeds({0: a_result(Verdict.PASS, evidence=3), 1: a_result(Verdict.NOT_RUN, reason="no engine")})
    assert result.verdict is Verdict.FAIL
    assert "no engine" in result.violations[0].observed


def test_what_needs_a_device_with_some_seed_is_not_run():
    missing = a_result(Verdict.NOT_RUN, reason="a kernel", needs_device=True)
    assert over_seeds({0: a_result(Verdict.PASS, evidence=3), 1: missing}) is missing


def test_what_another_rule_reports_with_some_seed_blocks():
    blocked = a_result(Verdict.BLOCKED, blocked_by="ENQ-010")
    assert over_seeds({0: a_result(Verdict.PASS, evidence=3), 1: blocked}) is blocked
    assert over_seeds({0: FAILED, 1: blocked}).verdict is Verdict.FAIL
