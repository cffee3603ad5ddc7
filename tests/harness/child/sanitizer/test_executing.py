"""Under a tool a case is executed at its corners and between them, on memory that is kept."""

from harness.cases.case import Case
from harness.child.sanitizer.executing import executed
from harness.contract.sanitizer_tool import Tool
from tests.support.latency_subjects import subject_of
from tests.support.workbench import Creator, Doubler

CASE = Case("P", inputs=({"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)},))


class Refusing(Doubler):
    """Refuses its largest shape."""

    def enqueue(self, input_desc, *rest):
        if input_desc[0].dims[0] == 4:
            raise ValueError("too large")
        return super().enqueue(input_desc, *rest)


def test_each_execution_is_told_with_its_memory():
    with subject_of(Creator(lambda _: Doubler()), CASE) as subject:
        told = executed(subject, Tool.MEMCHECK)
    assert told["trouble"] == ""
    assert [each["shapes"] for each in told["executions"]][:3] == [[[1, 3]], [[2, 3]], [[4, 3]]]
    first = told["executions"][0]["memory"]
    assert [(label, nbytes) for label, _, nbytes in first] == [("inputs[0]", 12), ("outputs[0]", 12), ("workspace", 0)]
    addresses = [address for each in told["executions"] for _, address, nbytes in each["memory"] if nbytes]
    assert len(set(addresses)) == len(addresses)


def test_what_keeps_it_from_going_on_is_told_with_what_was_begun():
    with subject_of(Creator(lambda _: Refusing()), CASE) as subject:
        told = executed(subject, Tool.MEMCHECK)
    assert "enqueue raised ValueError: too large" in told["trouble"]
    assert len(told["executions"]) == 3
