from __future__ import annotations

import pytest

from reference_runtime.builder.layer_order import in_order
from reference_runtime.network.graph.graph_parts import Layer, Tensor
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.refusals import Refused


def tensor(name):
    return Tensor(name, DataType.FLOAT)


def layer(name, inputs, shape_inputs=()):
    return Layer(name, list(inputs), [tensor(f"{name}'s")], LayerType.IDENTITY, shape_inputs=list(shape_inputs))


X = Tensor("x", DataType.FLOAT, (1,))


def names(layers, outputs):
    return [found.name for found in in_order(layers, [X], outputs)]


def test_layers_stay_as_they_stand_in_the_network_where_that_is_possible():
    first, second = layer("a", [X]), layer("b", [X])
    last = layer("c", [second.outputs[0], first.outputs[0]])
    assert names([first, second, last], last.outputs) == ["a", "b", "c"]


def test_a_layer_comes_after_those_it_reads_from():
    late = layer("late", [X])
    early = layer("early", [X], late.outputs)
    other = layer("other", [early.outputs[0]])
    assert names([early, other, late], other.outputs) == ["late", "early", "other"]


def test_what_no_output_depends_on_is_dropped():
    needed, unused = layer("needed", [X]), layer("unused", [X])
    assert names([unused, needed, layer("behind", needed.outputs)], needed.outputs) == ["needed"]


def test_an_input_can_be_an_output_already():
    assert names([layer("unused", [X])], [X]) == []


def test_a_circle_is_refused():
    first = layer("first", [X])
    second = layer("second", first.outputs)
    first.inputs[:] = second.outputs
    with pytest.raises(Refused, match="first: an input comes from a later layer, which depends on it"):
        names([first, second], second.outputs)


def test_a_tensor_of_nowhere_is_refused():
    with pytest.raises(Refused, match="alone: stray is the output of no layer and no input of the network"):
        names([alone := layer("alone", [tensor("stray")])], alone.outputs)


def test_a_long_chain_is_no_problem():
    layers, last = [], X
    for place in range(5_000):
        layers.append(layer(str(place), [last]))
        last = layers[-1].outputs[0]
    assert names(layers[::-1], [last])[:2] == ["0", "1"]
