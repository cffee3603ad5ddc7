import numpy as np
import pytest

from reference_runtime.operations.quantize import Dequantize, Quantize
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused

T = DataType
HALF = np.array(0.5, np.float32)


@pytest.mark.parametrize(
    ("to_type", "expected", "dtype"),
    [
        (T.INT8, [-128, -2, 0, 2, 127], np.int8),
        (T.INT4, [-8, -2, 0, 2, 7], np.int8),
        (T.FP8, [-448.0, -1.5, 0.5, 2.5, 448.0], np.float32),
        (T.FP4, [-6.0, -1.5, 0.5, 2.5, 6.0], np.float32),
    ],
)
def test_numbers_are_divided_rounded_to_even_and_cut(to_type, expected, dtype):
    data = np.array([-1000, -0.75, 0.25, 1.25, 1000], np.float32)
    (result,) = Quantize(to_type).run([data, HALF])
    assert (result.tolist(), result.dtype) == (expected, dtype)


def test_dequantizing_multiplies():
    (result,) = Dequantize(T.FLOAT).run([np.array([-128, 3], np.int8), HALF])
    assert result.tolist() == [-64.0, 1.5]
    assert Dequantize(T.HALF).run([np.array([3], np.int8), HALF])[0].dtype == np.float16


def test_a_scale_for_each_place_along_an_axis():
    scale = np.array([1.0, 10.0, 100.0], np.float32)
    data = np.array([[1, 2, 3], [4, 5, 6]], np.int8)
    assert Dequantize(T.FLOAT, 1).run([data, scale])[0].tolist() == [[1, 20, 300], [4, 50, 600]]
    assert Dequantize(T.FLOAT, 0).run([data.T, scale])[0].tolist() == [[1, 4], [20, 50], [300, 600]]


def test_a_scale_for_each_block():
    scale = np.array([[1.0, 10.0], [100.0, 1000.0]], np.float32)
    data = np.array([[1, 1, 2, 2], [3, 3, 4, 4]], np.int8)
    expected = [[1, 1, 20, 20], [300, 300, 4000, 4000]]
    assert Dequantize(T.FLOAT).run([data, scale])[0].tolist() == expected
    assert Dequantize(T.FLOAT, block_shape=(1, 2)).run([data, scale])[0].tolist() == expected


@pytest.mark.parametrize(
    ("operation", "dims", "scale", "message"),
    [
        (Quantize(T.INT8), (2, 3), (3,), "set the axis"),
        (Quantize(T.INT8, 0), (2, 3), (3,), "does not fit"),
        (Quantize(T.INT8), (2, 4), (2, 3), "would not be equal"),
        (Quantize(T.INT8), (2, 4), (1, 2, 2), "does not fit"),
        (Quantize(T.INT8, block_shape=(1, 4)), (2, 4), (2, 2), "have 2 elements, not 4"),
    ],
)
def test_scales_that_do_not_fit_are_refused(operation, dims, scale, message):
    with pytest.raises(Refused, match=message):
        operation.infer([ValueFacts(dims), ValueFacts(scale)])


def test_extents_stay_and_may_be_unknown():
    assert Quantize(T.INT8, 1).infer([ValueFacts((-1, -1)), ValueFacts((3,))])[0] == ValueFacts((-1, -1))
    assert Dequantize(T.FLOAT).infer([ValueFacts((-1, 4)), ValueFacts((-1, 2))])[0] == ValueFacts((-1, 4))


def test_the_zero_point_must_be_zero():
    operation = Quantize(T.INT8, operands=(0, 1, 2))
    assert operation.infer([ValueFacts((2,)), ValueFacts(()), ValueFacts((), (0,))])[0].dims == (2,)
    with pytest.raises(Refused, match="must be 0"):
        operation.infer([ValueFacts((2,)), ValueFacts(()), ValueFacts((), (3,))])


def test_types():
    assert Quantize(T.FP8).types([T.HALF, T.FLOAT]) == (T.FP8,)
    assert Dequantize(T.HALF).types([T.INT4, T.HALF]) == (T.HALF,)
    for operation, inputs, what in (
        (Quantize(T.INT8), (T.INT32, T.FLOAT), "the input of a quantization"),
        (Quantize(T.INT8), (T.FLOAT, T.INT8), "the scale of a quantization"),
        (Quantize(T.INT32), (T.FLOAT, T.FLOAT), "the output of a quantization"),
        (Dequantize(T.FLOAT), (T.FLOAT, T.FLOAT), "the input of a dequantization"),
        (Dequantize(T.FLOAT), (T.INT8, T.INT8), "the scale of a dequantization"),
        (Dequantize(T.INT8), (T.INT8, T.FLOAT), "the output of a dequantization"),
    ):
        with pytest.raises(Refused, match=what):
            operation.types(inputs)
