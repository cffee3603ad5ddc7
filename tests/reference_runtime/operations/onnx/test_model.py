"""Models of one node: read from plans, where nothing may lead anywhere else."""

import pytest

from reference_runtime.operations import from_plain
from reference_runtime.operations.onnx.model import model_of, single, why_not
from reference_runtime.values.checked_json import PlanError
from reference_runtime.values.enums_layers import LayerType
from tests.support.runtime.onnx_models import FLOAT, INT64, helper, node


def written(kind="Relu", elements=(FLOAT,), opset=17, **attributes):
    return model_of(node(kind, " ".join("abc"[: len(elements)]), "y", "name", **attributes), opset, elements)


def changed(change, data=None):
    model = single(data or written()).model
    copy = type(model).FromString(model.SerializeToString())
    change(copy)
    return copy.SerializeToString(deterministic=True)


def test_a_plan_keeps_a_node_as_it_is():
    data = written("Clip", (FLOAT, FLOAT, FLOAT))
    assert from_plain(LayerType.PLUGIN, {}, data).weights == data


def test_names_and_comments_are_not_kept():
    assert b"name" not in written()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no model",
        changed(lambda model: model.graph.node.append(model.graph.node[0])),
        changed(lambda model: setattr(model.graph.node[0], "domain", "elsewhere")),
        changed(lambda model: setattr(model.graph.node[0], "op_type", "Nope")),
        changed(lambda model: setattr(model.graph.node[0], "op_type", "NonZero")),
        changed(lambda model: setattr(model, "producer_name", "somebody")),
        changed(lambda model: model.opset_import.append(model.opset_import[0])),
        changed(lambda model: model.graph.node[0].attribute.append(helper.make_attribute("g", model.graph))),
    ],
)
def test_nothing_else_is_taken_from_a_plan(data):
    with pytest.raises(PlanError):
        from_plain(LayerType.PLUGIN, {}, data)


def test_a_tensor_in_another_file_is_not_read():
    def outside(model):
        tensor = helper.make_tensor("value", FLOAT, [1], [0.0])
        tensor.ClearField("float_data")
        tensor.data_location = tensor.EXTERNAL
        tensor.external_data.add(key="location", value="secret.bin")
        del model.graph.node[0].attribute[:]
        model.graph.node[0].attribute.append(helper.make_attribute("value", tensor))

    data = changed(outside, written("ConstantOfShape", (INT64,)))
    with pytest.raises(PlanError):
        from_plain(LayerType.PLUGIN, {}, data)


def test_why_a_node_cannot_be_computed_is_said():
    assert why_not(written()) == ""
    assert "onnx.reference does not compute ImageScaler of opset 17" in why_not(written("ImageScaler"))
    assert single(written("Relu", (FLOAT,))).op_type == "Relu"
