"""Uses of plugins as cases."""

import itertools

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import CaseError
from harness.child.onnx_models.cases import cases_of
from harness.child.onnx_models.points import Point
from harness.child.onnx_models.uses import TensorUse, Use
from harness.subject.serialized_cases import Given
from reference_runtime.onnx.importing.fields import FieldData


class Creator:
    name, plugin_version, plugin_namespace = "Doubler", "1", ""


POINTS = tuple(Point({"n": n, "m": m}, {}) for n, m in itertools.product((1, 2, 4), (3, 5)))


def use(*inputs, name="node", fields=()):
    return Use(name, Creator(), tuple(fields), inputs, POINTS)


def tensor(shape, dtype="FLOAT", **named):
    return TensorUse(dtype, tuple(shape(point.extents["n"], point.extents["m"]) for point in POINTS), **named)


def only(*uses):
    (found,) = cases_of(trt, uses)
    return found.case


def test_extents_that_are_the_models_have_its_names():
    case = only(use(tensor(lambda n, m: (n, m, 7)), tensor(lambda n, _m: (n,))))
    assert [entry.dims for entry in case.inputs] == [("n", "m", 7), ("n",)]
    assert (case.inputs[0].min, case.inputs[0].max) == ((1, 3, 7), (4, 5, 7))
    assert case.valid is None
    assert case.allows(((3, 4, 7), (3,)))
    assert not case.allows(((3, 4, 7), (2,)))


def test_extents_that_follow_otherwise_are_those_that_the_model_reaches():
    case = only(use(tensor(lambda n, _m: (2 * n,)), tensor(lambda n, _m: (n,))))
    assert [entry.dims for entry in case.inputs] == [("input0.0",), ("n",)]
    assert case.allows(((4,), (2,)))
    assert not case.allows(((4,), (4,)))


def test_shape_inputs_have_values():
    case = only(use(tensor(lambda _n, _m: (2,)), tensor(lambda n, m: (n, m), "INT64", is_shape_input=True, dims=(2,))))
    shape_input = case.shape_inputs[0]
    assert (shape_input.types, shape_input.min, shape_input.max) == (("int64",), (1, 3), (4, 5))
    assert case.allows(((2,), (4, 3)))


def test_fields_have_the_types_of_the_importer():
    field = FieldData("mode", np.array([97, 0], np.int8), "CHAR")
    data, kind = only(use(tensor(lambda n, _m: (n,)), fields=[field])).fields["mode"]
    assert (data.tolist(), kind) == ([97, 0], trt.PluginFieldType.CHAR)


def test_what_a_model_brings_along_is_used_in_place_of_drawn_values():
    case = only(use(tensor(lambda _n, _m: (2,), constant=np.array([5, 6]))))
    values = case.inputs[0].values
    assert isinstance(values, Given)
    assert values(None, (2,), np.float32).tolist() == [5, 6]


def test_int8_has_a_scale():
    assert only(use(tensor(lambda n, _m: (n,), "INT8"))).inputs[0].scale == 1.0


def test_uses_that_are_alike_are_one_case():
    plain, other = tensor(lambda n, _m: (n,)), tensor(lambda n, _m: (n, 1))
    found = cases_of(trt, [use(plain, name="/a b/1"), use(plain, name="second"), use(other, name="a.b.1")])
    assert [each.case.name for each in found] == ["a.b.1", "a.b.1-2"]
    assert {each.key for each in found} == {"/Doubler/1"}


def test_a_node_of_strange_characters_has_a_name_all_the_same():
    assert only(use(tensor(lambda n, _m: (n,)), name="::")).name == "node"


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        (tensor(lambda _n, _m: (-1,)), "the dimensions of input 0 follow from data"),
        (tensor(lambda n, _m: (n,), "FP8"), "an input of type FP8 is none that a case can have"),
    ],
)
def test_what_no_case_can_say_is_told(inputs, why):
    with pytest.raises(CaseError, match=why):
        cases_of(trt, [use(inputs)])
