"""How models use plugins, and what is said of models that cannot be used."""

import contextlib

import numpy as np
import pytest

from harness.child.onnx_models.uses import ModelError, PluginRefusedError, uses_of
from harness.config.onnx_dims import Range
from reference_runtime.calling.gate.gate import Gate, watching
from tests.support.runtime.onnx_models import creator, model, node

__all__ = ["creator"]

Y = {"y": [None, None]}


@pytest.fixture
def used(tmp_path):
    def use(one, **dims):
        path = tmp_path / "model.onnx"
        path.write_bytes(one if isinstance(one, bytes) else one.SerializeToString())
        gate = Gate(quiet=True)
        with contextlib.closing(contextlib.ExitStack()) as stack:
            stack.enter_context(watching(gate))
            return uses_of(str(path), {name: Range(*each) for name, each in dims.items()}, gate, "/Doubler/1")

    return use


def test_fields_types_and_extents_are_the_models(used, creator):
    made = creator(advertised=("factor",))
    nodes = [node("Transpose", "x", "t"), node("Doubler", "t w", "y", "two", factor=2.0)]
    (use,) = used(model(nodes, {"x": ["n", 3]}, Y, w=np.array([1, 2], np.float16)), n=(1, 2, 2))
    assert (use.node, use.creator) == ("two", made)
    assert [(field.name, field.kind, field.data.tolist()) for field in use.fields] == [("factor", "FLOAT32", [2.0])]
    first, second = use.inputs
    assert (first.type, first.shapes[:3], first.constant) == ("FLOAT", ((3, 1), (3, 2), (3, 2)), None)
    assert (second.type, second.constant.tolist()) == ("HALF", [1, 2])


def test_a_model_without_plugins_is_told(used):
    with pytest.raises(ModelError, match="no node of the model is a plugin; each is an operator that TensorRT imports"):
        used(model([node("Relu", "x", "y")], {"x": [2, 2]}, Y))


def test_bytes_that_are_no_model_are_told(used):
    with pytest.raises(ModelError, match="it is no ONNX model, or a damaged one: Failed to parse the ONNX model"):
        used(b"no model")


def test_a_plugin_that_is_not_there_is_told_with_those_that_are(used):
    with pytest.raises(ModelError, match=r"node 'lost' needs the plugin Nope, .* found: /Doubler/1\. Name the module"):
        used(model([node("Nope", "x", "y", "lost")], {"x": [2, 2]}, Y))


def test_what_else_stands_against_an_import_is_told(used):
    with pytest.raises(ModelError, match="the model cannot be imported: In node 0 with name:  and operator: Det"):
        used(model([node("Det", "x", "y")], {"x": [2, 2]}, Y))


def test_extents_that_the_model_does_not_take_are_told_with_the_option(used, creator):
    creator()
    nodes = [node("Doubler", "x", "a"), node("Add", "a w", "y")]
    one = model(nodes, {"x": ["n", 2]}, Y, w=np.ones((3, 2), np.float32))
    with pytest.raises(
        ModelError, match=r"does not go with n=2: .*--plugin-onnx-dims=NAME=MIN:OPT:MAX \(now n=1:2:4\)"
    ):
        used(one)
    assert len(used(one, n=(3, 3, 3))) == 1


def test_a_plugin_that_refuses_its_fields_is_no_matter_of_usage(used, creator):
    creator(advertised=("refuse",))
    with pytest.raises(PluginRefusedError, match=r"Could not create the plugin\.; create_plugin returned None"):
        used(model([node("Doubler", "x", "y", refuse=1)], {"x": [2, 2]}, Y))
