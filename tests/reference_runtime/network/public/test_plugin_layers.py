"""Adding plugin layers: which copy the network takes, what it is asked, and what is refused."""

from __future__ import annotations

import pytest

from reference_runtime.bound.errors import NativeCrash
from reference_runtime.interfaces.v3 import IPluginV3, IPluginV3OneBuild, IPluginV3OneCore, IPluginV3OneRuntime
from reference_runtime.network.layers import IPluginV2Layer, IPluginV3Layer
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import (
    DataType,
    DimensionOperation,
    PluginCapabilityType,
    QuickPluginCreationRequest,
)
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.enums_layers import LayerType
from tests.support.runtime.recording import Recorder, shop
from tests.support.runtime.recording_v3 import RecorderV3

T = DataType
Request = QuickPluginCreationRequest
STRONG, JIT, AOT = (
    1 << int(flag)
    for flag in (
        NetworkDefinitionCreationFlag.STRONGLY_TYPED,
        NetworkDefinitionCreationFlag.PREFER_JIT_PYTHON_PLUGINS,
        NetworkDefinitionCreationFlag.PREFER_AOT_PYTHON_PLUGINS,
    )
)


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


def test_the_network_runs_its_own_copy_of_a_v3_plugin(made, network, x):
    plugin = RecorderV3(made.tape)
    layer = network.add_plugin_v3([x], [], plugin)
    assert (type(layer), layer.type) == (IPluginV3Layer, LayerType.PLUGIN_V3)
    assert layer.plugin is not plugin
    assert made.tape.methods(plugin.number) == [*["get_capability_interface"] * 2, "get_output_data_types", "clone"]
    assert layer.get_output(0).shape == (2, 3)


def test_every_capability_is_asked_for(made, network, x):
    network.add_plugin_v3([x], [], RecorderV3(made.tape))
    asked = [arguments[0] for _, _, arguments in made.tape.of("get_capability_interface")]
    core, build = PluginCapabilityType.CORE, PluginCapabilityType.BUILD
    assert asked == [core, build] * 2, "of the plugin, then of its copy; RUNTIME is not asked for here"


def test_a_v2_layer_is_one(made, network, x):
    layer = network.add_plugin_v2([x], Recorder(made.tape))
    assert (type(layer), layer.type) == (IPluginV2Layer, LayerType.PLUGIN_V2)
    assert layer.plugin is made.gate.owned[0].target


def test_shape_inputs_come_after_the_inputs(made, network, x):
    sizes = network.add_input("sizes", T.INT64, (2,))
    layer = network.add_plugin_v3([x], [sizes], RecorderV3(made.tape))
    assert (layer.num_inputs, layer.get_input(0), layer.get_input(1), layer.get_input(2)) == (2, x, sizes, None)
    assert made.tape.of("get_output_data_types")[0][2] == ([T.FLOAT],)
    other = network.add_input("other", T.INT32, (2,))
    layer.set_input(1, other)
    assert layer.get_input(1) is other
    layer.set_input(1, x)
    assert layer.get_input(1) is other
    assert "shape input x has type FLOAT" in made.log.errors[0]


def test_shape_inputs_are_integers(made, network, x):
    assert network.add_plugin_v3([x], [x], RecorderV3(made.tape)) is None
    assert "INetworkDefinition::addPluginV3" in made.log.errors[0]
    assert "shape input x has type FLOAT" in made.log.errors[0]
    assert made.tape.calls == []


class Uncloneable(RecorderV3):
    def clone(self):
        return None


class Runtimeless(RecorderV3):
    def get_capability_interface(self, kind):
        return None if kind == PluginCapabilityType.RUNTIME else self


class Typeless(RecorderV3):
    def get_output_data_types(self, _types):
        return []


class Nameless(RecorderV3):
    def copied(self):
        copy = type("Empty", (RecorderV3,), {"__init__": _bases_alone})()
        copy.tape, copy.number = self.tape, 0
        return copy


def _bases_alone(plugin):
    for base in (IPluginV3, IPluginV3OneCore, IPluginV3OneBuild, IPluginV3OneRuntime):
        base.__init__(plugin)


class Outputless(RecorderV3):
    def copied(self):
        copy = RecorderV3.copied(self)
        copy.num_outputs = 0
        return copy


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Typeless, "gave no 1 types for inputs of FLOAT"),
        (Nameless, "has no plugin_name"),
        (Outputless, "has 0 outputs"),
    ],
)
def test_a_v3_plugin_that_cannot_be_used_gives_no_layer_and_is_destroyed(made, network, x, kind, message):
    assert network.add_plugin_v3([x], [], kind(made.tape)) is None
    assert network.num_layers == 0
    assert message in made.log.errors[0]
    assert all(owned.destroyed for owned in made.gate.owned)


def test_types_are_float_in_a_weakly_typed_network(made, network):
    layer = network.add_plugin_v3([network.add_input("h", T.HALF, (2,))], [], RecorderV3(made.tape))
    assert made.tape.of("get_output_data_types")[0][2] == ([T.FLOAT],)
    assert layer.get_output(0).dtype == T.FLOAT


def test_types_are_what_they_are_in_a_strongly_typed_network(made):
    network = made.builder.create_network(STRONG)
    layer = network.add_plugin_v3([network.add_input("h", T.HALF, (2,))], [], RecorderV3(made.tape))
    assert layer.get_output(0).dtype == T.HALF


def test_tensors_of_another_network_are_refused(made, network, x):
    foreign = made.builder.create_network().add_input("x", T.INT32, (2,))
    assert network.add_plugin_v3([foreign], [], RecorderV3(made.tape)) is None
    assert network.add_plugin_v3([x], [foreign], RecorderV3(made.tape)) is None
    assert len(made.log.errors) == 2


def test_a_plugin_layer_takes_other_inputs_of_its_network_alone(made, network, x):
    layer = network.add_plugin_v3([x], [], RecorderV3(made.tape))
    layer.set_input(0, made.builder.create_network().add_input("x", T.FLOAT, (2,)))
    assert layer.get_input(0) is x
    assert "ILayer::setInput" in made.log.errors[0]


def test_a_tuple_names_inputs_shape_inputs_and_plugin(made, network, x):
    layer = network.add_plugin(([x], [], RecorderV3(made.tape)))
    assert isinstance(layer, IPluginV3Layer)


@pytest.mark.parametrize("given", [(), ([],), ([], [], "plugin"), ("x", [], None), ([1], [], None)])
def test_another_tuple_cannot_be_cast(network, given):
    with pytest.raises(RuntimeError, match="Unable to cast Python instance of type <class 'tuple'>"):
        network.add_plugin(given)


@pytest.mark.parametrize(
    ("flags", "arguments", "request_"),
    [
        (0, (), Request.UNKNOWN),
        (JIT, (), Request.PREFER_JIT),
        (AOT, (), Request.PREFER_AOT),
        (AOT, (False,), Request.STRICT_JIT),
        (JIT, (True,), Request.STRICT_AOT),
    ],
)
def test_a_function_makes_the_tuple_on_request(made, flags, arguments, request_):
    network, asked = made.builder.create_network(flags), []
    x = network.add_input("x", T.FLOAT, (2,))

    def make(wanted):
        asked.append(wanted)
        return [x], [], RecorderV3(made.tape)

    assert isinstance(network.add_plugin(make, *arguments), IPluginV3Layer)
    assert asked == [request_]


def test_a_network_prefers_one_kind_of_implementation(made):
    with pytest.raises(ValueError, match="PREFER_AOT_PYTHON_PLUGINS and PREFER_JIT_PYTHON_PLUGINS"):
        made.builder.create_network(JIT | AOT).add_plugin(lambda _request: ())


def test_a_function_that_makes_something_else_cannot_be_used(network):
    with pytest.raises(RuntimeError, match="<class 'NoneType'>"):
        network.add_plugin(lambda _request: None)
    with pytest.raises(TypeError, match="argument"):
        network.add_plugin(lambda: None)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        network.add_plugin("plugin")


def test_plugins_of_both_kinds_are_destroyed_with_the_network(made):
    network = made.builder.create_network()
    x = network.add_input("x", T.FLOAT, (2,))
    network.add_plugin_v3([network.add_plugin_v2([x], Recorder(made.tape)).get_output(0)], [], RecorderV3(made.tape))
    network.add_identity(x)
    del network, x
    assert [owned.destroyed for owned in made.gate.owned if owned.destroyed] == [True, True]


class Coreless(RecorderV3):
    def get_capability_interface(self, kind):
        return None if kind == PluginCapabilityType.CORE else self


class Buildless(RecorderV3):
    def get_capability_interface(self, kind):
        return None if kind == PluginCapabilityType.BUILD else self


@pytest.mark.parametrize(
    ("kind", "method"), [(Uncloneable, "clone"), (Buildless, "interface"), (Coreless, "interface")]
)
def test_a_null_pointer_that_tensorrt_does_not_check_is_a_crash(made, network, x, kind, method):
    with pytest.raises(NativeCrash, match=f"{method} of a {kind.__name__} gave a null pointer: TensorRT dies here"):
        network.add_plugin_v3([x], [], kind(made.tape))


def test_the_runtime_capability_is_first_used_in_the_build(made, network, x):
    layer = network.add_plugin_v3([x], [], Runtimeless(made.tape))
    network.mark_output(layer.get_output(0))
    with pytest.raises(NativeCrash, match="interface of a Runtimeless gave a null pointer: TensorRT dies here"):
        made.build(network)


@pytest.mark.parametrize(
    ("extent", "problem"),
    [
        (lambda _inputs, _builder: None, "has no expression"),
        (lambda inputs, builder: _one_more(builder, _size(inputs, builder)), "is computed from a size"),
        (lambda inputs, builder: _size(inputs, builder, _size(inputs, builder)), "is computed from a size"),
    ],
)
def test_a_null_pointer_in_place_of_an_extent_is_a_crash(made, network, x, extent, problem):
    class Sized(RecorderV3):
        def get_output_shapes(self, inputs, _shape_inputs, builder):
            return [DimsExprs([extent(inputs, builder)])]

    layer = network.add_plugin_v3([x], [], Sized(made.tape))
    with pytest.raises(NativeCrash, match=f"shapes of a Sized: dimension 0 of output 0 {problem}.*TensorRT dies here"):
        _ = layer.get_output(0).shape


def _size(inputs, builder, optimum=None):
    return builder.declare_size_tensor(0, optimum or inputs[0][0], inputs[0][0])


def _one_more(builder, count):
    return builder.operation(DimensionOperation.SUM, count, builder.constant(1))
