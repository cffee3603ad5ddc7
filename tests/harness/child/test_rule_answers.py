"""What becomes of a rule that cannot go on."""

from harness.child.rule_answers import answer_of
from harness.contract.finding import judged
from harness.contract.rule import Rule, Source
from harness.contract.verdict import Kind
from tests.support.workbench import Creator, Doubler, subject_of


def answer(error):
    def judge(_):
        yield judged(True, None)  # noqa: FBT003 - nothing was violated
        raise error

    return answer_of(
        Rule("ENQ-001", judge, Source("a document", "a section")), subject_of(Creator(lambda _: Doubler()))
    )


def test_without_memory_a_rule_needs_another_machine_and_does_not_fail_by_itself():
    found = answer(MemoryError("Unable to allocate 2.00 GiB"))
    assert (found.kind, found.needs_device) == (Kind.NOT_RUN, True)
    assert found.reason == "this machine does not have enough memory: Unable to allocate 2.00 GiB"


def test_any_other_exception_is_a_fault_of_the_rule():
    assert answer(ZeroDivisionError()).kind is Kind.BROKEN
