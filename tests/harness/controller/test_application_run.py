"""All rules about applications judge one run; a dictionary of answers stands in for the child."""

import pytest

from harness.contract.expected_failures import ExpectedFailure
from harness.contract.interface import Interface
from harness.contract.verdict import Answer, Captured, InternalError, Kind, Verdict
from harness.controller.judge import Runner
from harness.protocol.requests import APPLICATION
from harness.results.run_plan import CasePlan, PluginPlan
from tests.support.controller.answering_child import BROKEN, HELD, Child, a_rule, catalogue_of, met, word

APPLICATION_RULES = [
    a_rule("APP-001", interfaces={Interface.APPLICATION}, owns={"application"}, requires={"CTX-001"}),
    a_rule("CTX-001", interfaces={Interface.APPLICATION}),
    a_rule("CTX-002", interfaces={Interface.APPLICATION}, requires={"CTX-001"}),
]


def application(answer):
    """Return what judges an application, and the child that gives this answer for its run."""
    child = Child({APPLICATION: answer})
    plan = PluginPlan("app:main", "app:main", "app", Interface.APPLICATION, "main", "app.py", 1, (CasePlan("run"),))
    return Runner(catalogue_of(APPLICATION_RULES), child, (0, 1), {"app:main": plan}), child


def ran(**answers):
    """Return the answer of a run that came to its end."""
    plain = {f"{rule[:3]}-{rule[3:]}": answer.to_plain() for rule, answer in answers.items()}
    return Answer(Kind.JUDGED, evidence=1, payload=plain, captured=Captured(stderr="said"))


def test_an_application_runs_once_for_all_rules():
    runner, child = application(ran(APP001=HELD, CTX001=HELD, CTX002=BROKEN))
    verdicts = {rule: runner.result("app:main", "run", rule) for rule in ("APP-001", "CTX-001", "CTX-002")}
    assert [verdicts[rule].verdict for rule in verdicts] == [Verdict.PASS, Verdict.PASS, Verdict.FAIL]
    assert [verdicts[rule].captured.stderr for rule in verdicts] == ["", "", "said"]
    assert [word(request) for request in child.requests] == [APPLICATION]


def test_what_follows_from_a_broken_rule_is_blocked():
    runner, _ = application(ran(APP001=BROKEN, CTX001=BROKEN, CTX002=BROKEN))
    found = [runner.result("app:main", "run", rule) for rule in ("APP-001", "CTX-001", "CTX-002")]
    assert [each.verdict for each in found] == [Verdict.BLOCKED, Verdict.FAIL, Verdict.BLOCKED]
    assert found[0].blocked_by == "CTX-001"


@pytest.mark.parametrize(
    ("callback", "how"), [("application", "died by SIGSEGV"), ("enqueue", "died by SIGSEGV, in enqueue")]
)
def test_a_run_that_dies_is_told_once(callback, how):
    runner, _ = application(met(callback, "died by SIGSEGV"))
    found = [runner.result("app:main", "run", rule) for rule in ("APP-001", "CTX-001", "CTX-002")]
    assert [each.verdict for each in found] == [Verdict.FAIL, Verdict.BLOCKED, Verdict.BLOCKED]
    assert found[0].violations[0].what == f"application {how}"
    assert found[2].blocked_by == "APP-001"


def test_a_run_that_the_harness_spoils_is_an_internal_error():
    runner, _ = application(Answer(Kind.BROKEN, reason="boom"))
    with pytest.raises(InternalError, match="boom"):
        runner.result("app:main", "run", "CTX-001")


def test_a_failure_of_an_application_can_be_expected():
    runner, _ = application(ran(APP001=HELD, CTX001=BROKEN, CTX002=HELD))
    fingerprint = runner.result("app:main", "run", "CTX-001").fingerprint
    case = CasePlan("run", expected_failures={"CTX-001": ExpectedFailure("known", fingerprint)})
    plan = PluginPlan("app:main", "app:main", "app", Interface.APPLICATION, "main", "app.py", 1, (case,))
    child = Child({APPLICATION: ran(APP001=HELD, CTX001=BROKEN, CTX002=HELD)})
    again = Runner(catalogue_of(APPLICATION_RULES), child, (0,), {"app:main": plan})
    assert again.result("app:main", "run", "CTX-001").verdict is Verdict.XFAIL
