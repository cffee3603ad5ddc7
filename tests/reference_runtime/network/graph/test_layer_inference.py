from __future__ import annotations

import pytest

from reference_runtime.network.graph.graph import graph_of
from reference_runtime.network.graph.layer_inference import layer_facts, layer_rule
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType, DimensionOperation
from reference_runtime.values.enums_layers import ElementWiseOperation
from reference_runtime.values.refusals import Refused
from tests.support.runtime.recording import Recorder, shop
from tests.support.runtime.recording_v3 import RecorderV3

T = DataType


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def network(made):
    return made.builder.create_network()


class Sized(RecorderV3):
    """Its first dimension is an element of the shape input; its second is twice the input's."""

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        two = expr_builder.constant(2)
        return [DimsExprs([shape_inputs[0][1], expr_builder.operation(DimensionOperation.PROD, inputs[0][0], two)])]


class Silent(RecorderV3):
    def get_output_shapes(self, *_):
        raise ValueError


class Sparse(Recorder):
    def get_output_dimensions(self, *_):
        return DimsExprs(2)


def test_a_plugin_of_version_3_sees_extents_and_values(made, network):
    x, sizes = network.add_input("x", T.FLOAT, (-1,)), network.add_input("s", T.INT64, (2,))
    network.add_plugin_v3([x], [sizes], Sized(made.tape))
    graph = graph_of(network)
    layer = graph.layers[0]
    assert layer_facts(graph.gate, layer, [ValueFacts((3,)), ValueFacts((2,), (9, 5))]) == [ValueFacts((5, 6))]
    assert layer_facts(graph.gate, layer, [ValueFacts((-1,)), ValueFacts((2,))]) == [ValueFacts((-1, -1))]
    rule = layer_rule(graph.gate, layer, [ValueFacts((-1,)), ValueFacts((2,))])
    assert (rule.inputs, rule.shape_inputs, rule.outputs) == (layer.inputs, layer.shape_inputs, layer.outputs)
    assert rule.infer([ValueFacts((4,)), ValueFacts((2,), (1, 7))]) == [ValueFacts((7, 8))]


def test_a_query_that_fails_leaves_the_outputs_unknown_until_a_rule_is_needed(made, network):
    x = network.add_input("x", T.FLOAT, (2,))
    assert network.add_plugin_v3([x], [], Silent(made.tape)).get_output(0).shape == ()
    graph = graph_of(network)
    with pytest.raises(Refused, match="get_output_shapes failed"):
        layer_rule(graph.gate, graph.layers[0], [ValueFacts((2,))])


def test_an_answer_that_cannot_be_used_is_refused_when_a_rule_is_needed(made, network):
    network.add_plugin_v2([network.add_input("x", T.FLOAT, (2,))], Sparse(made.tape))
    graph = graph_of(network)
    assert layer_facts(graph.gate, graph.layers[0], [ValueFacts((2,))]) == [None]
    with pytest.raises(Refused, match="no expression was stored for dimension 0"):
        layer_rule(graph.gate, graph.layers[0], [ValueFacts((2,))])


def test_an_operation_is_its_own_rule(network):
    x = network.add_input("x", T.FLOAT, (2,))
    network.add_elementwise(x, x, ElementWiseOperation.SUM)
    graph = graph_of(network)
    rule = layer_rule(graph.gate, graph.layers[0], [ValueFacts((2,))] * 2)
    assert rule.infer([ValueFacts((5,)), ValueFacts((1,))]) == [ValueFacts((5,))]
