"""The shapes of a context step by step: what a switch loses, what an execution lacks, and why."""

from harness.applications.shapes import executions, settings, switches
from tests.support.application_traces import Script, tensor, tensors

MISSING = tensors(missing=("x",))


def set_shape(script, *, done=True, **rest):
    return script.call("set_input_shape", result=done, name="x", shape=(3,), **rest)


def choose(script, index, **rest):
    return script.call("set_optimization_profile_async", result=True, profile_index=index, stream_handle=7, **rest)


def test_a_switch_loses_shapes_that_nothing_used_and_that_the_execution_lacks():
    script = Script()
    set_shape(script)
    choose(script, 1)
    script.execute(context=MISSING)
    assert [switch.lost for switch in switches(script.trace)] == [("x",)]


def test_shapes_that_are_set_again_or_never_needed_are_not_lost():
    script = Script()
    set_shape(script)
    choose(script, 1)
    set_shape(script)
    script.execute()
    set_shape(script)
    choose(script, 0)
    assert [switch.lost for switch in switches(script.trace)] == [(), ()]


def test_a_switch_loses_nothing_that_was_used_or_to_the_same_profile():
    script = Script()
    set_shape(script)
    choose(script, 0)
    script.call("update_device_memory_size_for_shapes", result=64)
    choose(script, 1)
    assert [(switch.index, switch.lost, switch.moves) for switch in switches(script.trace)] == [
        (0, (), False),
        (1, (), True),
    ]


def test_a_switch_that_raised_moves_nothing():
    script = Script()
    set_shape(script)
    choose(script, 9, error="RuntimeError: no")
    assert not next(switches(script.trace)).moves


def test_an_assigned_profile_is_a_switch_too():
    script = Script()
    script.call("active_optimization_profile =", **{"0": 1})
    assert [switch.index for switch in switches(script.trace)] == [1]


def test_what_was_used_before_a_switch_is_lost_and_what_never_was_set_is_unset():
    script = Script()
    set_shape(script)
    script.execute()
    choose(script, 1)
    script.execute(context=MISSING)
    script.execute(context=tensors(missing=("z",)))
    assert [(each.lost, each.unset) for each in executions(script.trace)] == [((), ()), (("x",), ()), ((), ("z",))]


def test_what_was_lost_unused_is_blamed_on_the_switch_alone():
    script = Script()
    set_shape(script)
    choose(script, 1)
    script.execute(context=MISSING)
    (execution,) = executions(script.trace)
    assert (execution.lost, execution.unset) == ((), ())


def test_a_refused_shape_is_used_by_the_execution_that_follows_and_explains_what_is_missing():
    script = Script()
    refused = set_shape(script, done=False)
    execution = script.execute(context=MISSING)
    assert [(each.call, each.used_by) for each in settings(script.trace)] == [(refused, execution)]
    assert next(executions(script.trace)).unset == ()


def test_a_refused_shape_that_is_set_again_is_used_by_nobody():
    script = Script()
    set_shape(script, done=False)
    set_shape(script)
    script.execute()
    assert [each.used_by for each in settings(script.trace)] == [None, None]


def test_a_binding_names_its_tensor_in_every_profile():
    script = Script()
    script.call("set_binding_shape", result=True, binding=2, shape=(3,))
    assert next(settings(script.trace)).name == "x"


def test_values_are_compared_with_those_of_the_last_question():
    script = Script()
    context = [tensors(tensor("x", is_input=True, is_host=True, values=values)) for values in ((8,), (4,), (4,))]
    script.call("infer_shapes", result=(), facts={"context": context[0]})
    script.execute(context=context[1])
    script.execute(context=context[2])
    assert [each.values for each in executions(script.trace)] == [(("x", (8,), (4,)),), (("x", (8,), (4,)),)]


def test_another_address_or_shape_makes_a_question_void():
    script = Script()
    host = tensors(tensor("x", is_input=True, is_host=True, values=(8,)))
    script.call("infer_shapes", result=(), facts={"context": host})
    script.call("set_tensor_address", result=True, name="x", memory=5, facts={"context": host})
    script.execute(context=host)
    assert next(executions(script.trace)).query is None
