"""What all layers have in common."""

from __future__ import annotations

import pytest

from reference_runtime.network.layers import ILayer
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.enums_layers import ElementWiseOperation, LayerType
from tests.support.runtime.recording import Recorder, shop

T = DataType
STRONG = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def network(made):
    return made.builder.create_network()


@pytest.fixture
def x(network):
    return network.add_input("x", T.FLOAT, (2, 3))


@pytest.fixture
def layer(network, x):
    return network.add_elementwise(x, x, ElementWiseOperation.SUM)


def test_a_layer_is_made_by_a_network_alone():
    with pytest.raises(TypeError, match="No constructor defined"):
        ILayer()


def test_names_and_metadata(layer):
    assert (layer.name, layer.metadata) == ("(Unnamed Layer* 0) [ElementWise]", "")
    layer.name, layer.metadata = "sum", "from the left"
    assert (layer.name, layer.metadata) == ("sum", "from the left")


def test_inputs_and_outputs(layer, x):
    assert (layer.type, layer.num_inputs, layer.num_outputs) == (LayerType.ELEMENTWISE, 2, 1)
    assert [layer.get_input(index) for index in (-1, 0, 1, 2)] == [None, x, x, None]
    assert [layer.get_output(index) is None for index in (-1, 0, 1)] == [True, False, True]
    assert [layer.get_output_type(index) for index in (0, 1)] == [T.FLOAT, None]


def test_another_input_changes_the_output(made, network, layer):
    layer.set_input(1, network.add_input("y", T.FLOAT, (1, 1)))
    assert layer.get_output(0).shape == (2, 3)
    layer.set_input(2, network.get_input(1))
    assert "there is no input 2" in made.log.errors[0]
    layer.set_input(0, network.add_input("n", T.INT32, (2, 3)))
    assert "same type" in made.log.errors[1]
    layer.set_input(0, made.builder.create_network().add_input("z", T.FLOAT, (2, 3)))
    assert "another network" in made.log.errors[2]
    assert layer.get_input(0).name == "x"


def test_the_precision_can_be_set_and_reset(layer):
    assert (layer.precision, layer.precision_is_set) == (T.FLOAT, False)
    layer.precision = T.HALF
    assert (layer.precision, layer.precision_is_set) == (T.HALF, True)
    layer.reset_precision()
    assert not layer.precision_is_set


def test_the_type_of_an_output_can_be_set_and_reset(made, layer):
    assert not layer.output_type_is_set(0)
    layer.set_output_type(0, T.HALF)
    assert (layer.get_output_type(0), layer.output_type_is_set(0)) == (T.HALF, True)
    layer.reset_output_type(0)
    assert (layer.get_output_type(0), layer.output_type_is_set(0)) == (T.FLOAT, False)
    layer.set_output_type(1, T.HALF)
    layer.reset_output_type(1)
    assert not layer.output_type_is_set(1)
    assert ["there is no output 1" in error for error in made.log.errors] == [True, True]


def test_a_plugin_layer_gets_back_the_type_that_its_plugin_gave(made, network, x):
    layer = network.add_plugin_v2([x], Recorder(made.tape))
    layer.set_output_type(0, T.HALF)
    assert layer.get_output_type(0) == T.HALF
    layer.reset_output_type(0)
    assert layer.get_output_type(0) == T.FLOAT


def test_types_follow_from_the_layers_in_a_strongly_typed_network(made):
    network = made.builder.create_network(STRONG)
    layer = network.add_identity(network.add_input("x", T.FLOAT, (2,)))
    layer.precision = T.HALF
    layer.set_output_type(0, T.HALF)
    assert (layer.precision_is_set, layer.output_type_is_set(0)) == (False, False)
    assert [error.split(":")[2] for error in made.log.errors] == ["setPrecision", "setOutputType"]


def test_a_layer_runs_on_one_rank_or_more(made, layer):
    assert layer.num_ranks == 1
    layer.num_ranks = 4
    assert layer.num_ranks == 4
    layer.num_ranks = 0
    assert layer.num_ranks == 4
    assert "at least one rank" in made.log.errors[0]


def test_a_setting_of_another_type_is_refused_by_pybind(layer):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        layer.op = 3
