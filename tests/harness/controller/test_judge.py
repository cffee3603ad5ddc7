"""A runner judges each case once, until it is told to forget it."""

from harness.controller.judge import Runner
from tests.support.controller.answering_child import BROKEN, CASE, HELD, KEY, Child, a_rule, catalogue_of, plan_of


def test_what_is_forgotten_is_judged_again_to_the_same_verdict():
    rules = [a_rule("FMT-001"), a_rule("FMT-002", requires={"FMT-001"})]
    child = Child({"FMT-001": BROKEN, "FMT-002": HELD})
    runner = Runner(catalogue_of(rules), child, (0,), {KEY: plan_of()})
    first = runner.result(KEY, CASE, "FMT-002")
    asked = len(child.requests)
    runner.forget(KEY, CASE)
    assert not runner._verdicts
    assert runner.result(KEY, CASE, "FMT-002") == first
    assert len(child.requests) == 2 * asked
