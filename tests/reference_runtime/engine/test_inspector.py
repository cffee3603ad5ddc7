from __future__ import annotations

import json

import pytest

from reference_runtime.engine.inspector import EngineInspector
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import LayerInformationFormat, ProfilingVerbosity
from reference_runtime.values.enums_layers import ActivationType
from tests.support.runtime.recording import Recorder, shop

JSON, ONELINE = LayerInformationFormat.JSON, LayerInformationFormat.ONELINE


@pytest.fixture
def made():
    with shop() as made:
        made.profile()
        yield made


def mixed(made):
    """A plugin, then an activation."""
    network = made.builder.create_network()
    layer = network.add_plugin_v2([network.add_input("x0", DataType.FLOAT, (-1, 3, -1))], Recorder(made.tape))
    layer.name, layer.get_output(0).name = "plugin", "inner"
    activation = network.add_activation(layer.get_output(0), ActivationType.RELU)
    activation.name = "relu"
    activation.get_output(0).name = "y0"
    network.mark_output(activation.get_output(0))
    return made.engine(network)


def test_an_engine_built_as_by_default_tells_names(made):
    inspector = mixed(made).create_engine_inspector()
    told = json.loads(inspector.get_engine_information(JSON))
    assert told == {"Layers": ["plugin", "relu"], "Bindings": ["x0", "y0"]}
    assert json.loads(inspector.get_layer_information(1, JSON)) == "relu"
    assert inspector.get_layer_information(0, ONELINE) == "plugin"
    assert inspector.get_engine_information(ONELINE) == "Layers:\nplugin\nrelu\n\nBindings:\nx0\ny0\n"


def test_an_engine_built_in_silence_tells_nothing_of_its_layers(made):
    made.config.profiling_verbosity = ProfilingVerbosity.NONE
    inspector = mixed(made).create_engine_inspector()
    assert json.loads(inspector.get_engine_information(JSON)) == {"Layers": [], "Bindings": ["x0", "y0"]}
    assert inspector.get_layer_information(0, ONELINE) == ""


def test_an_engine_built_in_detail_tells_everything(made):
    made.config.profiling_verbosity = ProfilingVerbosity.DETAILED
    inspector = mixed(made).create_engine_inspector()
    plugin, relu = json.loads(inspector.get_engine_information(JSON))["Layers"]
    assert (plugin["Name"], plugin["LayerType"], plugin["PluginType"]) == ("plugin", "PluginV2", "Recorder")
    assert (plugin["PluginVersion"], plugin["PluginNamespace"], plugin["WorkspaceSize"]) == ("1", "", 64)
    assert plugin["Inputs"] == [
        {
            "Name": "x0",
            "Location": "Device",
            "Dimensions": [-1, 3, -1],
            "Format/Datatype": "Row major linear FP32 format",
        }
    ]
    assert [tensor["Name"] for tensor in plugin["Outputs"]] == ["inner"]
    assert relu["LayerType"] == "Activation"
    line = inspector.get_layer_information(0, ONELINE)
    assert line.startswith(
        "Name: plugin, LayerType: PluginV2, Inputs: [ { Name: x0, Location: Device, Dimensions: [-1,3,-1]"
    )


def test_a_context_gives_the_extents(made):
    made.config.profiling_verbosity = ProfilingVerbosity.DETAILED
    engine = mixed(made)
    inspector, context = engine.create_engine_inspector(), engine.create_execution_context()
    assert inspector.execution_context is None
    inspector.execution_context = context
    assert inspector.execution_context is context
    context.set_input_shape("x0", (2, 3, 4))
    assert json.loads(inspector.get_layer_information(1, JSON))["Outputs"][0]["Dimensions"] == [2, 3, 4]
    inspector.execution_context = None
    assert json.loads(inspector.get_layer_information(1, JSON))["Outputs"][0]["Dimensions"] == [-1, 3, -1]


def test_a_context_of_another_engine_is_refused(made):
    inspector = mixed(made).create_engine_inspector()
    inspector.execution_context = mixed(made).create_execution_context()
    assert inspector.execution_context is None
    assert "the context is one of another engine" in made.log.errors[0]


def test_a_layer_that_is_not_there_is_an_error(made):
    inspector = mixed(made).create_engine_inspector()
    assert inspector.get_layer_information(2, JSON) == ""
    assert "there is no layer 2; the engine has 2" in made.log.errors[0]
    assert inspector.error_recorder is None


def test_an_inspector_keeps_its_engine_alive_and_is_made_in_its_way_only(made):
    inspector = mixed(made).create_engine_inspector()
    assert "plugin" in inspector.get_engine_information(ONELINE)
    with pytest.raises(TypeError, match="No constructor defined"):
        EngineInspector()
