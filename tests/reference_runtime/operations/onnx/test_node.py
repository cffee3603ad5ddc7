"""Operators of ONNX: types, dimensions and values by ONNX's inference, results by onnx.reference."""

import numpy as np
import pytest

from reference_runtime.operations.onnx.model import model_of
from reference_runtime.operations.onnx.node import OnnxNode
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused
from tests.support.runtime.onnx_models import FLOAT, INT64
from tests.support.runtime.onnx_models import node as proto

BFLOAT16 = 16
INT8 = 3


def operation(kind, *elements, opset=17, inputs="", outputs="y", **attributes):
    names = inputs or " ".join("abcde"[: len(elements)])
    return OnnxNode(model_of(proto(kind, names, outputs, **attributes), opset, elements))


def values(*numbers):
    return ValueFacts((len(numbers),), numbers)


def inferred(one, *facts):
    (found,) = one.infer(facts)
    return found


def test_types_are_those_of_the_actual_inputs():
    one = operation("Relu", FLOAT)
    assert one.types([DataType.HALF]) == (DataType.HALF,)
    assert operation("Equal", FLOAT, FLOAT).types([DataType.FLOAT] * 2) == (DataType.BOOL,)


def test_types_that_do_not_go_together_are_refused():
    with pytest.raises(Refused, match="Add cannot be applied to elements of"):
        operation("Add", FLOAT, FLOAT).types([DataType.FLOAT, DataType.INT32])
    with pytest.raises(Refused, match="this Add has 2 inputs, not 1"):
        operation("Add", FLOAT, FLOAT).types([DataType.FLOAT])


def test_whole_numbers_of_32_bits_do_where_64_are_wanted():
    one = operation("Expand", FLOAT, INT64)
    assert one.types([DataType.FLOAT, DataType.INT32]) == (DataType.FLOAT,)
    assert one.run([np.ones((1,), np.float32), np.array([2], np.int32)])[0].shape == (2,)


def test_whole_numbers_of_8_bits_are_divided_as_such():
    one = operation("Div", INT8, INT8)
    assert one.run([np.array([12, 7], np.float32), np.array([23, 2], np.float32)])[0].tolist() == [0, 3]


def test_extents_that_are_not_known_stay_unknown():
    one = operation("Conv", FLOAT, FLOAT)
    assert inferred(one, ValueFacts((-1, 3, 8, 8)), ValueFacts((5, 3, 3, 3))).dims == (-1, 5, 6, 6)


def test_extents_may_rest_on_values():
    one = operation("Tile", FLOAT, INT64)
    assert one.shape_operands == {1}
    assert inferred(one, ValueFacts((2, 3)), values(2, 1)).dims == (4, 3)
    assert inferred(one, ValueFacts((2, 3)), ValueFacts((2,))).dims == (-1, -1)


def test_the_number_of_dimensions_is_kept_where_values_are_missing():
    assert inferred(operation("Pad", FLOAT, INT64), ValueFacts((2, 3)), ValueFacts((4,))).dims == (-1, -1)


def test_no_value_is_made_up_for_one_that_decides():
    one = operation("STFT", FLOAT, INT64)
    assert one.shape_operands == {1}


def test_inputs_that_are_left_out_do_not_count():
    clip = proto("Pad", "a b", "y", mode="constant")
    clip.input[:] = ["a", "b", "", "c"]
    one = OnnxNode(model_of(clip, 18, (FLOAT, INT64, INT64)))
    assert one.shape_operands == {1, 2}
    assert inferred(one, ValueFacts((2, 3)), values(1, 1), values(1)).dims == (2, 5)


def test_extents_without_a_rank_are_refused():
    with pytest.raises(Refused, match="the number of dimensions of an output depends on what is not known yet"):
        operation("Squeeze", FLOAT, INT64).infer([ValueFacts((1, 3)), ValueFacts((-1,))])


def test_extents_that_cannot_be_are_refused():
    with pytest.raises(Refused, match=r"MatMul cannot be applied to \[2, 3\], \[2, 3\]"):
        operation("MatMul", FLOAT, FLOAT).infer([ValueFacts((2, 3)), ValueFacts((2, 3))])


@pytest.mark.parametrize(
    ("one", "given", "known"),
    [
        (operation("Concat", INT64, INT64, axis=0), (values(None, 3), values(-1)), (None, 3, -1)),
        (operation("Concat", INT64, INT64, axis=0), (values(None, 3), ValueFacts((1,))), (None, 3, None)),
        (operation("Gather", INT64, INT64), (values(None, 3), values(1, 0)), (3, None)),
        (operation("Unsqueeze", INT64, INT64), (ValueFacts((), (None,)), values(0)), None),
        (operation("Unsqueeze", INT64, INT64), (ValueFacts((), (7,)), values(0)), (7,)),
        (operation("Slice", INT64, INT64, INT64), (values(4, None, 6), values(1), values(3)), (None, 6)),
        (operation("Mul", INT64, INT64), (values(None, 3), ValueFacts((), (2,))), (None, 6)),
        (operation("Div", INT64, INT64), (values(7, 9), values(2, 3)), (3, 3)),
        (
            operation("Range", INT64, INT64, INT64),
            (ValueFacts((), (0,)), ValueFacts((), (6,)), ValueFacts((), (2,))),
            (0, 2, 4),
        ),
        (operation("ReduceProd", INT64, keepdims=0), (values(2, 3),), (6,)),
        (operation("ReduceProd", INT64, keepdims=0), (values(2, None),), None),
    ],
    ids=lambda each: each.op_type if isinstance(each, OnnxNode) else "",
)
def test_values_are_followed_as_far_as_that_is_exact(one, given, known):
    assert inferred(one, *given).values == known


def test_real_numbers_are_followed_too():
    one = operation("Mul", FLOAT, FLOAT)
    assert inferred(one, ValueFacts((2,), reals=(1.5, None)), ValueFacts((), reals=(2.0,))).reals == (3.0, None)


def test_extents_that_inference_does_not_tell_are_found_by_computing_on_ones():
    one = operation("Einsum", FLOAT, FLOAT, equation="ij,jk->ik")
    assert inferred(one, ValueFacts((2, 3)), ValueFacts((3, 4))).dims == (2, 4)


def test_a_type_that_numpy_has_not_is_computed_in_float32():
    one = operation("Relu", BFLOAT16)
    assert one.types([DataType.BF16]) == (DataType.BF16,)
    (found,) = one.run([np.array([-1.5, 2.5], np.float32)])
    assert (found.dtype, found.tolist()) == (np.float32, [0, 2.5])


def test_several_outputs_and_results_of_the_right_types():
    one = operation("TopK", FLOAT, INT64, outputs="v i", axis=0)
    assert one.types([DataType.FLOAT, DataType.INT64]) == (DataType.FLOAT, DataType.INT64)
    best, places = one.run([np.array([1, 5, 3], np.float32), np.array([2])])
    assert (best.tolist(), places.tolist(), places.dtype) == ([5, 3], [1, 2], np.int64)


def test_what_cannot_be_computed_is_refused():
    with pytest.raises(Refused, match=r"Concat cannot be computed for \[2\], \[2, 2\]"):
        operation("Concat", FLOAT, FLOAT, axis=0).run([np.ones(2, np.float32), np.ones((2, 2), np.float32)])
