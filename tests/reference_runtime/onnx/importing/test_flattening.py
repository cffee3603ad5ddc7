"""The order of a model's nodes, and local functions written out."""

import pytest

from reference_runtime.onnx.importing.flattening import node_name, steps
from reference_runtime.onnx.importing.status import ImportFailed
from tests.support.runtime.onnx_models import helper, model, node


def names(one, is_plugin=lambda _node: False):
    return [(step.index, step.name) for step in steps(one, is_plugin)]


def function(name, *nodes, inputs="a", outputs="c"):
    return helper.make_function("demo", name, inputs.split(), outputs.split(), nodes, [helper.make_opsetid("", 17)])


def test_nodes_come_after_those_that_they_need():
    one = model([node("Relu", "b", "y"), node("Relu", "a", "b"), node("Relu", "x", "a")], {"x": [1]}, {"y": [1]})
    assert names(one) == [(2, "node_of_a"), (1, "node_of_b"), (0, "node_of_y")]


def test_nodes_in_a_circle_are_refused():
    one = model([node("Relu", "b", "a"), node("Relu", "a", "b")], {"x": [1]}, {"a": [1]})
    with pytest.raises(ImportFailed, match="Failed to sort the model topologically"):
        names(one)


def test_a_name_is_made_of_the_first_output_where_there_is_none():
    assert node_name(node("Relu", "x", "y", "own")) == "own"
    assert node_name(node("Relu", "x", "y")) == "node_of_y"


def test_functions_in_functions_keep_their_tensors_apart():
    inner = function("Inner", node("Relu", "a", "b"), node("Relu", "b", "c"))
    outer = function("Outer", node("Inner", "a", "b", "i1", "demo"), node("Inner", "b", "c", "i2", "demo"))
    one = model([node("Outer", "x", "y", "o", "demo")], {"x": [1]}, {"y": [1]}, functions=[inner, outer])
    found = list(steps(one, lambda _node: False))
    assert [(list(step.node.input), list(step.node.output)) for step in found] == [
        (["x"], ["i1/b"]),
        (["i1/b"], ["o/b"]),
        (["o/b"], ["i2/b"]),
        (["i2/b"], ["y"]),
    ]
    assert found[0].stack == ("o (Outer)", "i1 (Inner)")


def test_a_function_of_the_name_of_an_operator_is_not_looked_at():
    one = model([node("Relu", "x", "y")], {"x": [1]}, {"y": [1]}, functions=[function("Relu", node("Abs", "a", "c"))])
    assert [step.node.op_type for step in steps(one, lambda _node: False)] == ["Relu"]


def test_a_function_that_calls_itself_ends():
    endless = function("Endless", node("Endless", "a", "c", "again", "demo"))
    one = model([node("Endless", "x", "y", "first", "demo")], {"x": [1]}, {"y": [1]}, functions=[endless])
    with pytest.raises(ImportFailed, match="exceed the maximum allowed"):
        names(one)
