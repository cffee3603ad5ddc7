"""Attributes of a node as plugin fields: the types that TensorRT's parser gives them."""

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.onnx.importing.fields import UnsupportedAttribute, as_fields, attribute_data, text_of
from tests.support.runtime.onnx_models import helper, numpy_helper


def data_of(value, **named):
    attribute = helper.make_attribute("a", value, **named)
    (field,) = attribute_data({"a": attribute}, ["a"])
    return field.kind, field.data.tolist()


@pytest.mark.parametrize(
    ("value", "kind", "data"),
    [
        (1.5, "FLOAT32", [1.5]),
        ([1.5, 2.0], "FLOAT32", [1.5, 2.0]),
        (7, "INT32", [7]),
        ([1, -2], "INT32", [1, -2]),
        (2**32 + 5, "INT32", [5]),
        ("ab", "CHAR", [97, 98, 0]),
        (["a", ""], "CHAR", [97, 0, 0]),
        (numpy_helper.from_array(np.array([[1, 2]], np.int8)), "INT8", [1, 2]),
        (numpy_helper.from_array(np.array([0.5], np.float64)), "FLOAT32", [0.5]),
    ],
)
def test_each_kind_of_attribute_has_a_type(value, kind, data):
    assert data_of(value) == (kind, data)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (numpy_helper.from_array(np.array([1], np.int16)), "Tensor type: INT16 is unsupported in plugin fields."),
        (numpy_helper.from_array(np.array([1])), "Tensor type: INT64 is unsupported in plugin fields."),
        (helper.make_graph([], "g", [], []), "Attributes of type: GRAPH are unsupported as plugin fields."),
    ],
)
def test_what_no_field_can_hold_is_refused_in_the_parsers_words(value, why):
    with pytest.raises(UnsupportedAttribute, match=why):
        data_of(value)


def test_only_what_the_creator_advertises_is_given_and_in_its_order():
    attributes = {name: helper.make_attribute(name, 1) for name in ("a", "b", "c")}
    found = attribute_data(attributes, ["c", "other", "a"])
    assert [field.name for field in found] == ["c", "a"]
    assert [(field.name, field.type) for field in as_fields(found)] == [
        ("c", trt.PluginFieldType.INT32),
        ("a", trt.PluginFieldType.INT32),
    ]


def test_text_has_a_default():
    assert text_of({"v": helper.make_attribute("v", "2")}, "v", "1") == "2"
    assert text_of({}, "v", "1") == "1"
