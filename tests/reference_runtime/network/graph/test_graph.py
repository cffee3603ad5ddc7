from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.calling.adapters.version_2 import DYNAMIC
from reference_runtime.network.graph.graph import graph_of
from reference_runtime.network.layers.tensors import tensor_of
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.enums_layers import ElementWiseOperation, LayerType
from tests.support.runtime.recording import Recorder, shop

T = DataType
SUM = ElementWiseOperation.SUM


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def network(made):
    return made.builder.create_network()


def test_a_plugin_is_asked_once_however_often_a_shape_is_read(made):
    network = made.network(chain=2)
    for _ in range(3):
        assert network.get_output(0).shape == (-1, 3, -1)
    assert len(made.tape.of("get_output_dimensions")) == 2


def test_what_follows_from_a_change_is_worked_out_again_and_nothing_else(made, network):
    x, y = (network.add_input(name, T.FLOAT, (2, 3)) for name in "xy")
    first, second = (network.add_plugin_v2([tensor], Recorder(made.tape)).get_output(0) for tensor in (x, y))
    total = network.add_elementwise(first, second, SUM).get_output(0)
    assert total.shape == (2, 3)
    made.tape.calls.clear()
    x.shape = (1, 3)
    assert total.shape == (2, 3)
    assert len(made.tape.of("get_output_dimensions")) == 1
    y.shape = (1, 3)
    assert total.shape == (1, 3)


def test_the_cost_of_a_layer_does_not_grow_with_the_network(made, network):
    """Counted in calls, which is what grows: with 400 layers each asks its plugin as often as with 4."""
    tensor = network.add_input("x", T.FLOAT, (2, 3))
    calls = []
    for _ in range(400):
        made.tape.calls.clear()
        tensor = network.add_plugin_v2([tensor], Recorder(made.tape)).get_output(0)
        assert tensor.shape == (2, 3)
        calls.append(made.tape.methods())
    assert calls[3] == calls[399]


def test_a_long_chain_is_followed_without_recursion(network):
    tensor = network.add_input("x", T.FLOAT, (2, 3))
    for _ in range(3000):
        tensor = network.add_identity(tensor).get_output(0)
    assert tensor.shape == (2, 3)


def test_a_layer_that_feeds_itself_has_no_facts(network):
    x = network.add_input("x", T.FLOAT, (2, 3))
    first = network.add_elementwise(x, x, SUM)
    second = network.add_identity(first.get_output(0))
    first.set_input(0, second.get_output(0))
    assert graph_of(network).facts(tensor_of(second.get_output(0))) is None
    first.set_input(0, x)
    assert second.get_output(0).shape == (2, 3)


def test_layers_say_what_they_run(made, network):
    x = network.add_input("x", T.FLOAT, (2, 3))
    network.add_plugin_v2([x], Recorder(made.tape))
    network.add_identity(x)
    assert [(layer.interface, layer.kind) for layer in graph_of(network).layers] == [
        (DYNAMIC, LayerType.PLUGIN_V2),
        (None, LayerType.IDENTITY),
    ]


def test_every_tensor_is_known_in_order_with_its_layer(network):
    x = network.add_input("x", T.FLOAT, (2, 3))
    y = network.add_identity(x).get_output(0)
    graph = graph_of(network)
    assert graph.tensors == [tensor_of(x), tensor_of(y)]
    assert graph.producers == {tensor_of(x): None, tensor_of(y): graph.layers[0]}
    assert graph.consumers(tensor_of(x)) == [graph.layers[0]]


def test_the_version_counts_changes(network):
    graph, seen = graph_of(network), []
    x = network.add_input("x", T.FLOAT, (2, 3))
    seen.append(graph.version)
    layer = network.add_concatenation([x, x])
    seen.append(graph.version)
    layer.axis = 1
    seen.append(graph.version)
    network.mark_output(layer.get_output(0))
    seen.append(graph.version)
    assert seen == sorted(set(seen))


def test_a_tensor_may_be_restricted_to_some_formats(network):
    tensor = network.add_input("x", T.FLOAT, (2, 3))
    assert tensor_of(tensor).formats is None
    tensor.allowed_formats = 1 << int(TensorFormat.LINEAR) | 1 << int(TensorFormat.HWC8)
    assert tensor_of(tensor).formats == [TensorFormat.LINEAR, TensorFormat.HWC8]


def test_weights_are_kept_alive_by_the_network(network):
    layer = network.add_constant((3,), np.array([1, 2, 3], np.int32))
    assert [int(value) for value in layer.weights] == [1, 2, 3]
    assert len(graph_of(network).weights) == 1
