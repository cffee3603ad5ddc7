"""Small ONNX models, and plugins for them; importing this skips a test module where onnx is not installed."""

import importlib.util

import numpy as np
import pytest

import reference_runtime as trt

if importlib.util.find_spec("onnx") is None:
    pytest.skip("onnx is not installed: pip install -e '.[onnx]'", allow_module_level=True)

from onnx import AttributeProto, TensorProto, helper, numpy_helper

from plugin_examples.models import two_plugins

__all__ = ["FLOAT", "INT64", "AttributeProto", "creator", "helper", "model", "node", "numpy_helper", "two_plugins"]

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def node(kind, inputs, outputs, name="", domain="", **attributes):
    return helper.make_node(kind, inputs.split(), outputs.split(), name, domain=domain, **attributes)


def model(nodes, inputs, outputs, opset=17, functions=(), **weights):
    """A model; inputs and outputs are dimensions by name, or pairs of dimensions and element type."""
    infos = [
        [
            helper.make_tensor_value_info(name, *((entry[1], entry[0]) if isinstance(entry, tuple) else (FLOAT, entry)))
            for name, entry in each.items()
        ]
        for each in (inputs, outputs)
    ]
    arrays = [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "graph", *infos, arrays)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("demo", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=functions)


class Doubler(trt.IPluginV2DynamicExt):
    """Only what a network asks of a plugin."""

    def __init__(self, name, version, namespace, fields):
        trt.IPluginV2DynamicExt.__init__(self)
        self.num_outputs = 1
        self.plugin_type, self.plugin_version, self.plugin_namespace = name, version, namespace
        self.fields = fields

    def clone(self):
        return Doubler(self.plugin_type, self.plugin_version, self.plugin_namespace, self.fields)

    def get_output_datatype(self, index, input_types):  # noqa: ARG002 - as TensorRT calls it
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, expr_builder):  # noqa: ARG002 - as TensorRT calls it
        return trt.DimsExprs(inputs[0])


class Creator(trt.IPluginCreator):
    """Makes doublers and keeps what it was given."""

    def __init__(self, name="Doubler", version="1", namespace="", advertised=()):
        trt.IPluginCreator.__init__(self)
        self.name, self.plugin_version, self.plugin_namespace = name, version, namespace
        self.held = [
            trt.PluginField(field, np.zeros(0, np.float32), trt.PluginFieldType.FLOAT32) for field in advertised
        ]
        self.field_names = trt.PluginFieldCollection(self.held)
        self.given = []

    def create_plugin(self, name, field_collection):
        fields = [(each.name, each.type.name, each.data.tobytes()) for each in field_collection]
        self.given.append((name, fields))
        if any(field == "refuse" for field, _, _ in fields):
            return None
        return Doubler(self.name, self.plugin_version, self.plugin_namespace, fields)


@pytest.fixture
def creator():
    """A registered creator, for the time of a test."""
    made = []

    def register(*arguments, **named):
        made.append(Creator(*arguments, **named))
        assert trt.get_plugin_registry().register_creator(made[-1], made[-1].plugin_namespace)
        return made[-1]

    yield register
    for each in made:
        trt.get_plugin_registry().deregister_creator(each)
