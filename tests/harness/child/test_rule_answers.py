"""What becomes of a rule that cannot go on."""

from types import SimpleNamespace

from harness.child.rule_answers import answer_of, stack_of
from harness.contract.finding import check
from harness.contract.rule import Rule, Source
from harness.contract.verdict import Kind
from reference_runtime.bound.errors import NeedsStandIn
from reference_runtime.devices.records import KernelFailedError
from reference_runtime.values.dims import Dims
from tests.support.workbench import Creator, Doubler, subject_of


def answer(error):
    def judge(_):
        yield check(True, None)  # noqa: FBT003 - nothing was violated
        raise error

    return answer_of(
        Rule("ENQ-001", judge, Source("a document", "a section")), subject_of(Creator(lambda _: Doubler()))
    )


def test_without_memory_a_rule_needs_another_machine_and_does_not_fail_by_itself():
    found = answer(MemoryError("Unable to allocate 2.00 GiB"))
    assert (found.kind, found.needs_device) == (Kind.NOT_RUN, True)
    assert found.reason == "this machine does not have enough memory: Unable to allocate 2.00 GiB"


def test_a_kernel_that_the_builder_or_an_engine_cannot_launch_needs_another_machine():
    found = answer(NeedsStandIn("compiled kernel", "leaky_relu", None))
    assert (found.kind, found.needs_device) == (Kind.NOT_RUN, True)
    assert "give a NumPy function as its stand-in" in found.reason


def test_a_kernel_that_failed_is_a_failure_of_enqueue():
    found = answer(KernelFailedError("cudaErrorIllegalAddress"))
    assert (found.kind, found.mishap.callback) == (Kind.MET, "enqueue")
    assert found.mishap.how == "launched a kernel that failed: cudaErrorIllegalAddress"


def test_any_other_exception_is_a_fault_of_the_rule():
    assert answer(ZeroDivisionError()).kind is Kind.BROKEN


def raised():
    try:
        Dims("no numbers")  # the innermost frames are the runtime's
    except TypeError as error:
        return SimpleNamespace(what="raised TypeError: no", error=error)
    raise AssertionError("it is accepted")


def test_the_users_line_is_the_innermost_frame_though_the_runtime_raised():
    frames = [line for line in stack_of("enqueue raised TypeError: no", [raised()]).splitlines() if "File " in line]
    assert len(frames) == 1
    assert f'"{__file__}"' in frames[0]


def test_what_no_callback_raised_has_no_stack():
    returned = SimpleNamespace(what="returned None", error=None)
    assert stack_of("the sum is wrong", [raised(), returned]) == ""
    assert stack_of("it returned None", [returned]) == ""
