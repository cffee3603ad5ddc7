"""One run, and all rules about applications on it."""

from harness.applications.discovering import FoundApplication
from harness.applications.judging import judge
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation
from harness.contract.rule import APPLICATIONS, Source, rule
from harness.contract.verdict import Answer, Kind
from reference_runtime.bound.errors import NeedsGpu

SOURCE = Source("a document", "a section")


def answers_of(answer):
    """Return the answer of each rule from the one of a run."""
    return {rule: Answer.from_plain(plain) for rule, plain in answer.payload.items()}


def a_rule(rule_id, body, **facts):
    def judge_it(application):
        """It holds."""
        yield from body(application)

    return rule(rule_id, source=facts.pop("source", SOURCE), interfaces=APPLICATIONS, **facts)(judge_it)


def broken(application):
    for number in range(7):
        violation = Violation(f"{application.name} {number}", "w", "e", "o", "f")
        yield Finding(violation if number else None)


def nothing(reason):
    def body(_application):
        raise reason
        yield Finding()

    return body


def answers(**bodies):
    rules = {f"APP-{number:03}": a_rule(f"APP-{number:03}", body) for number, body in enumerate(bodies.values(), 1)}
    ran = []
    answer = judge(FoundApplication("app:main", lambda: ran.append(1)), rules, seed=0, addresses="opaque")
    assert ran == [1]
    return dict(zip(bodies, answers_of(answer).values(), strict=True))


def test_each_rule_has_its_answer():
    found = answers(
        held=lambda _: iter([Finding()]),
        broken=broken,
        beside=nothing(NotApplicable("it does nothing")),
        unseen=nothing(NotRun("no device")),
        failed=nothing(ZeroDivisionError("a rule that fails by itself")),
    )
    assert (found["held"].kind, found["held"].evidence, found["held"].broken) == (Kind.JUDGED, 1, 0)
    assert (found["broken"].evidence, found["broken"].broken, len(found["broken"].violations)) == (7, 6, 5)
    assert found["broken"].violations[0].what == "app:main 1"
    assert (found["beside"].kind, found["beside"].reason) == (Kind.NOT_APPLICABLE, "it does nothing")
    assert found["unseen"].kind is Kind.NOT_RUN
    assert found["failed"].kind is Kind.BROKEN


def test_what_follows_from_the_want_of_a_gpu_is_not_run():
    def main():
        raise NeedsGpu("a kernel")

    rules = {"APP-001": a_rule("APP-001", broken), "APP-002": a_rule("APP-002", lambda _: iter([Finding()]))}
    found = answers_of(judge(FoundApplication("app:main", main), rules, seed=0, addresses="opaque"))
    assert (found["APP-001"].kind, found["APP-001"].needs_device) == (Kind.NOT_RUN, True)
    assert found["APP-002"].kind is Kind.JUDGED


def test_a_rule_of_another_level_does_not_apply():
    rules = {"APP-001": a_rule("APP-001", broken, source=Source("a header", "a section", ("8.6",)))}
    answer = judge(FoundApplication("app:main", lambda: None), rules, seed=0, addresses="opaque")
    assert answers_of(answer)["APP-001"].kind is Kind.NOT_APPLICABLE
