"""Memory that executions use, and what happens to it before they are over."""

from harness.applications.facts import Room
from harness.applications.loans import ALLOCATOR, DEVICE_MEMORY, TENSOR, hazards, loans, of_hazard, requests
from harness.applications.references import Ref
from tests.support.application_traces import CONTEXT, Script, X, Y, tensor, tensors

OTHER = Ref("context", 2)


def found(script, kind=TENSOR):
    return {(loan.name, hazard.what) for loan, hazard in hazards(script.trace, kind).items()}


def executed(script, **rest):
    """Execute: x is read and y written, on stream 7."""
    call = script.execute(**rest)
    script.touch("read", X, inside=call)
    script.touch("write", Y, inside=call)
    return call


def test_inputs_and_outputs_are_lent():
    script = Script()
    executed(script)
    assert [(loan.name, loan.address, loan.is_read) for loan in loans(script.trace, TENSOR)] == [
        ("x", X, True),
        ("y", Y, False),
    ]


def test_what_another_stream_writes_or_reads_too_early_is_a_hazard():
    script = Script()
    executed(script)
    script.touch("write", X, stream=8)
    script.touch("read", Y, stream=8)
    early = "before the execution was over"
    assert found(script) == {("x", f"was written to {early}"), ("y", f"was read {early}")}


def test_what_comes_after_the_execution_is_none():
    script = Script()
    call = executed(script)
    last = call.touches[-1].access.number
    script.touch("read", Y, stream=8, clock={8: 99, 7: last})
    script.touch("write", X)
    assert found(script) == set()


def test_inputs_may_be_read_by_all_and_views_are_no_accesses():
    script = Script()
    executed(script)
    script.touch("read", X, stream=8)
    script.touch("view", Y, stream=8)
    assert found(script) == set()


def test_another_execution_is_a_hazard_and_another_of_the_same_context_is_not_told_here():
    script = Script()
    executed(script)
    again = script.execute(8)
    script.touch("write", Y, stream=8, inside=again)
    assert found(script) == set()
    other = script.execute(8, target=OTHER, context=tensors(tensor("z", 0x9000)))
    script.touch("write", Y, stream=8, inside=other)
    assert found(script) == {("y", "was written to by another execution (context 2) before the execution was over")}


def test_memory_that_is_freed_while_the_execution_is_pending_is_a_hazard():
    script = Script()
    call = executed(script)
    script.memory(X, freed=True, pending=[call.number])
    script.memory(Y, freed=True)
    assert found(script) == {("x", "was freed before the execution was over")}


def test_a_pool_keeps_the_order_of_its_stream():
    script = Script()
    call = executed(script)
    script.memory(X, freed=True, source="pool", pending=[call.number])
    assert found(script) == set()


def test_memory_that_was_freed_before_is_a_hazard():
    script = Script()
    executed(script, context=tensors(tensor("x", X, is_input=True, room=Room(16, is_freed=True))))
    assert found(script) == {("x", "had been freed before the execution began")}


def given(script, call, name, address, size=16):
    return script.answer(call, "reallocate_output_async", name, 0, size, 256, 7, result=address)


def test_memory_of_an_allocator_is_lent_from_the_request_on():
    script = Script()
    call = executed(script)
    answer = given(script, call, "y", 0x4000)
    given(script, call, "z", None)
    assert [(loan.name, loan.since) for loan in loans(script.trace, ALLOCATOR)] == [("y", answer.number)]
    assert len(list(requests(script.trace))) == 2


def test_memory_that_is_given_twice_is_a_hazard():
    script = Script()
    call = executed(script)
    given(script, call, "y", 0x4000)
    given(script, call, "z", 0x4008)
    assert found(script, ALLOCATOR) == {("y", "was handed out again, for z")}


def test_memory_that_is_given_again_to_an_execution_that_does_not_wait_is_a_hazard():
    script = Script()
    first = executed(script)
    given(script, first, "y", 0x4000)
    second = executed(script, stream=8, target=OTHER, overlapping=(first.number,))
    given(script, second, "y", 0x4000)
    assert found(script, ALLOCATOR) == {("y", "was handed out again, for y")}


def test_memory_that_goes_back_to_its_pool_within_the_execution_is_a_hazard():
    script = Script()
    call = executed(script)
    given(script, call, "y", 0x4000)
    script.memory(0x4000, freed=True, source="pool", inside=call)
    assert found(script, ALLOCATOR) == {("y", "was freed before the execution was over")}


def test_device_memory_is_lent_as_far_as_it_is_needed():
    script = Script()
    call = script.execute(context=tensors(memory=(0x8000, 64), needed=32))
    script.touch("write", 0x8000, inside=call)
    script.touch("write", 0x8000, stream=8)
    assert [(loan.address, loan.nbytes) for loan in loans(script.trace, DEVICE_MEMORY)] == [(0x8000, 32)]
    assert len(found(script, DEVICE_MEMORY)) == 1


def test_a_hazard_tells_both_places():
    script = Script()
    executed(script)
    script.touch("read", Y, stream=8)
    ((loan, hazard),) = hazards(script.trace, TENSOR).items()
    assert of_hazard(loan, hazard).startswith("app.py:2; the execution is app.py:1, context 1.execute_async_v3(")
    assert of_hazard(loan, None).startswith("the execution is app.py:1")
    assert loan.execution.target == CONTEXT
