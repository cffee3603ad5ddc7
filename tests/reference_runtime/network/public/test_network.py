from __future__ import annotations

import gc
import weakref

import pytest

from reference_runtime.application.error_recorder import IErrorRecorder
from reference_runtime.network.public.network import INetworkDefinition
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DataType, TensorLocation
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.enums_layers import LayerType
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


def test_a_network_cannot_be_made_without_a_builder():
    with pytest.raises(TypeError, match="No constructor defined"):
        INetworkDefinition()


def test_what_was_added_can_be_found_again(made):
    network = made.network(chain=2)
    assert (network.num_inputs, network.num_layers, network.num_outputs, len(network)) == (1, 2, 1, 2)
    assert network.get_input(0) is network.get_layer(0).get_input(0)
    assert network.get_layer(0).get_output(0) is network[1].get_input(0)
    assert network.get_output(0).name == "y0"
    assert network[1].type == LayerType.PLUGIN_V2
    assert (network.get_input(1), network.get_layer(2), network.get_output(-1)) == (None, None, None)
    assert (network[0].get_input(1), network[0].get_output_type(-1)) == (None, None)
    assert (network[0].num_inputs, network[0].num_outputs) == (1, 1)
    assert network.get_layer(0) is network[0]
    assert network[-1] is network[1]
    for index in (2, -3):
        with pytest.raises(IndexError):
            network[index]


def test_an_input_needs_a_name_of_its_own(made, network):
    assert network.add_input("x", T.FLOAT, (1, 2)).shape == (1, 2)
    assert network.add_input("x", T.FLOAT, (1, 2)) is None
    assert network.add_input("y", T.FLOAT, (1, -2)) is None
    assert len(made.log.errors) == 2
    assert made.log.errors[0].startswith("INetworkDefinition::addInput: Error Code 4: Internal Error (")


def test_the_network_runs_its_own_copy_of_the_plugin(made, network):
    plugin = Recorder(made.tape)
    layer = network.add_plugin_v2([network.add_input("x", T.FLOAT, (2, 3))], plugin)
    assert layer.plugin is not plugin
    assert made.tape.methods(plugin.number) == ["clone"]
    assert layer.plugin is made.gate.owned[0].target


def test_one_plugin_may_be_added_twice(made, network):
    x, plugin = network.add_input("x", T.FLOAT, (2, 3)), Recorder(made.tape)
    first, second = network.add_plugin_v2([x], plugin), network.add_plugin_v2([x], plugin)
    assert first.plugin is not second.plugin
    assert first.get_output(0).name != second.get_output(0).name


@pytest.mark.parametrize("clone", [lambda: None, lambda: 1 / 0, lambda: "copy"])
def test_a_plugin_that_gives_no_copy_gives_no_layer(made, network, clone):
    plugin = Recorder(made.tape)
    plugin.clone = clone
    assert network.add_plugin_v2([network.add_input("x", T.FLOAT, (2, 3))], plugin) is None
    assert network.num_layers == 0
    assert "the plugin could not be cloned" in made.log.errors[0]
    assert made.gate.failures[0].method == "clone"


def bare_copy(tape, **attributes):
    class Careless(Recorder):
        def clone(self):
            copy = Recorder.clone(self)
            for name, value in attributes.items():
                setattr(copy, name, value)
            return copy

    return Careless(tape)


@pytest.mark.parametrize("count", [0, -1])
def test_a_copy_without_outputs_is_destroyed_and_gives_no_layer(made, network, count):
    x = network.add_input("x", T.FLOAT, (2, 3))
    assert network.add_plugin_v2([x], bare_copy(made.tape, num_outputs=count)) is None
    assert f"the plugin has {count} outputs" in made.log.errors[0]
    assert made.gate.owned[0].destroyed


def test_a_copy_without_a_type_is_destroyed_and_gives_no_layer(made, network):
    class Forgetful(Recorder):
        def clone(self):
            return type("Empty", (Recorder,), {"__init__": lambda copy: super(Recorder, copy).__init__()})()

    assert network.add_plugin_v2([network.add_input("x", T.FLOAT, (2, 3))], Forgetful(made.tape)) is None
    assert "has no plugin_type" in made.log.errors[0]


def test_tensors_of_another_network_are_refused(made, network):
    foreign = made.builder.create_network().add_input("x", T.FLOAT, (2, 3))
    assert network.add_plugin_v2([foreign], Recorder(made.tape)) is None
    network.mark_output(foreign)
    assert network.num_outputs == 0
    assert len(made.log.errors) == 2


def test_anything_but_a_plugin_is_a_type_error(network):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        network.add_plugin_v2([], "plugin")


@pytest.mark.parametrize("given", [T.HALF, T.INT8, T.BF16, T.FP8, T.FLOAT])
def test_a_weakly_typed_network_asks_and_answers_in_terms_of_float(made, network, given):
    layer = network.add_plugin_v2([network.add_input("x", given, (2, 3))], Recorder(made.tape))
    assert made.tape.of("get_output_datatype")[0][2] == (0, [T.FLOAT])
    assert layer.get_output(0).dtype == layer.get_output_type(0) == T.FLOAT


def test_a_weakly_typed_network_reduces_the_answer_too(made, network):
    class Halving(Recorder):
        def get_output_datatype(self, _index, _types):
            return T.HALF

    layer = network.add_plugin_v2([network.add_input("x", T.FLOAT, (2, 3))], Halving(made.tape))
    assert layer.get_output(0).dtype == T.FLOAT


@pytest.mark.parametrize("given", [T.INT32, T.INT64])
def test_integers_are_what_they_are(made, network, given):
    layer = network.add_plugin_v2([network.add_input("x", given, (2, 3))], Recorder(made.tape))
    assert layer.get_output(0).dtype == given


def test_a_strongly_typed_network_asks_for_real_types(made):
    network = made.builder.create_network(STRONG)
    assert network.get_flag(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
    layer = network.add_plugin_v2([network.add_input("x", T.HALF, (2, 3))], Recorder(made.tape))
    assert made.tape.of("get_output_datatype")[0][2] == (0, [T.HALF])
    layer.get_output(0).dtype = T.FLOAT
    assert layer.get_output(0).dtype == T.HALF
    assert "ITensor::setType" in made.log.errors[0]


def test_a_plugin_whose_type_query_fails_has_float_outputs(made, network):
    class Broken(Recorder):
        def get_output_datatype(self, _index, _types):
            raise ValueError

    layer = network.add_plugin_v2([network.add_input("x", T.INT32, (2, 3))], Broken(made.tape))
    assert layer.get_output(0).dtype == T.FLOAT


def test_the_shape_of_an_output_follows_from_the_plugins_expressions(made):
    network = made.network(dims=(-1, 3, 5), chain=2)
    assert network.get_output(0).shape == (-1, 3, 5)
    network.get_input(0).shape = (2, 3, 7)
    assert network.get_output(0).shape == (2, 3, 7)
    network.get_output(0).shape = (1,)
    assert "ITensor::setDimensions" in made.log.errors[0]


def test_an_output_whose_shape_query_fails_is_a_scalar(made, network):
    class Broken(Recorder):
        def get_output_dimensions(self, *_):
            raise ValueError

    layer = network.add_plugin_v2([network.add_input("x", T.FLOAT, (2, 3))], Broken(made.tape))
    assert layer.get_output(0).shape == ()


def test_an_output_with_an_empty_slot_has_no_shape_yet(made, network):
    class Sparse(Recorder):
        def get_output_dimensions(self, *_):
            return DimsExprs(2)

    layer = network.add_plugin_v2([network.add_input("x", T.FLOAT, (2, 3))], Sparse(made.tape))
    assert layer.get_output(0).shape == ()


def test_a_tensor_keeps_what_the_application_sets(made, network):
    tensor = network.add_input("x", T.INT8, (2, 3))
    assert tensor.allowed_formats == (1 << 13) - 1
    tensor.allowed_formats = 0b101
    tensor.allowed_formats = 1 << 20
    assert tensor.allowed_formats == 0b101
    assert tensor.dynamic_range is None
    tensor.dynamic_range = (-2.0, 1.0)
    assert tensor.dynamic_range == (-2.0, 1.0)
    assert not tensor.set_dynamic_range(1.0, -1.0)
    tensor.reset_dynamic_range()
    assert tensor.dynamic_range is None
    tensor.set_dimension_name(0, "batch")
    assert [tensor.get_dimension_name(axis) for axis in (0, 1)] == ["batch", None]
    assert (tensor.location, tensor.is_shape_tensor) == (TensorLocation.DEVICE, False)
    assert len(made.log.errors) == 2


def test_outputs_can_be_marked_once_and_unmarked(made):
    network = made.network()
    output = network.get_output(0)
    network.mark_output(output)
    network.mark_output(network.get_input(0))
    assert len(made.log.errors) == 2
    assert output.is_network_output
    network.unmark_output(output)
    assert (network.num_outputs, output.is_network_output) == (0, False)


def test_a_tensor_keeps_its_network_alive_and_the_network_its_builder(made):
    network = made.network()
    tensor, dead = network.get_output(0), []
    weakref.finalize(network, dead.append, "network")
    del network
    gc.collect()
    assert dead == []
    assert not made.gate.owned[0].destroyed
    del tensor
    gc.collect()
    assert dead == ["network"]
    assert made.gate.owned[0].destroyed


def test_an_input_can_be_replaced(made, network):
    x, y = (network.add_input(name, T.FLOAT, (2, extent)) for name, extent in (("x", 3), ("y", 5)))
    layer = network.add_plugin_v2([x], Recorder(made.tape))
    layer.set_input(0, y)
    layer.set_input(1, y)
    assert layer.get_input(0) is y
    assert layer.get_output(0).shape == (2, 5)
    assert "there is no input 1" in made.log.errors[0]


def test_a_network_knows_its_builder_and_its_flags(made):
    network = made.builder.create_network(STRONG)
    assert network.builder is made.builder
    assert network.flags == STRONG
    assert not network.get_flag(NetworkDefinitionCreationFlag.EXPLICIT_BATCH)
    network.name = "net"
    assert network.name == "net"


def test_no_network_has_an_implicit_batch(network):
    with pytest.warns(DeprecationWarning, match="Implicit batch dimensions support has been removed"):
        assert network.has_implicit_batch_dimension is False


class Errors(IErrorRecorder):
    def __init__(self):
        super().__init__()
        self.heard = []

    def report_error(self, code, desc):
        self.heard.append((code, desc))
        return False


def test_a_recorder_hears_of_what_is_refused_and_the_logger_does_not(made, network):
    recorder = network.error_recorder = Errors()
    assert network.error_recorder is recorder
    assert network.add_input("", T.FLOAT, (1,)) is None
    network.mark_output(network.add_input("x", T.FLOAT, (1,)))
    assert [text.split(":")[2] for _, text in recorder.heard] == ["addInput", "markOutput"]
    assert made.log.errors == []
    network.error_recorder = None
    assert network.add_input("", T.FLOAT, (1,)) is None
    assert len(made.log.errors) == 1
