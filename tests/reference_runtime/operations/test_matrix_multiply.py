import numpy as np
import pytest

from reference_runtime.operations.matrix_multiply import MatrixMultiply
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import MatrixOperation as Op
from reference_runtime.values.refusals import Refused

A = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
B = np.array([[1.0, 0.0, -1.0, 2.0], [2.0, 1.0, 0.0, -1.0]], np.float32)
PRODUCT = [[5, 2, -1, 0], [11, 4, -3, 2], [17, 6, -5, 4]]


@pytest.mark.parametrize(
    ("first", "op0", "second", "op1"),
    [
        (A, Op.NONE, B, Op.NONE),
        (A.T, Op.TRANSPOSE, B, Op.NONE),
        (A, Op.NONE, B.T, Op.TRANSPOSE),
        (A.T, Op.TRANSPOSE, B.T, Op.TRANSPOSE),
    ],
)
def test_each_operand_may_be_transposed(first, op0, second, op1):
    operation = MatrixMultiply(op0, op1)
    assert operation.run([first, second])[0].tolist() == PRODUCT
    assert operation.infer([ValueFacts(first.shape), ValueFacts(second.shape)])[0].dims == (3, 4)


def test_vectors():
    row, column = np.array([1.0, -1.0]), np.array([2.0, 1.0])
    for first, op0, second, op1, expected in (
        (row, Op.VECTOR, column, Op.VECTOR, 1.0),
        (A, Op.NONE, column, Op.VECTOR, [4.0, 10.0, 16.0]),
        (row, Op.VECTOR, B, Op.NONE, [-1.0, -1.0, -1.0, 3.0]),
        (row, Op.VECTOR, A, Op.TRANSPOSE, [-1.0, -1.0, -1.0]),
    ):
        operation = MatrixMultiply(op0, op1)
        (result,) = operation.run([first, second])
        assert result.tolist() == expected
        assert operation.infer([ValueFacts(first.shape), ValueFacts(second.shape)])[0].dims == result.shape


def test_stacks_are_broadcast():
    operation = MatrixMultiply(Op.NONE, Op.NONE)
    (result,) = operation.run([np.stack([A, 2 * A]), B[None]])
    assert result.tolist() == [PRODUCT, [[2 * value for value in row] for row in PRODUCT]]
    assert operation.infer([ValueFacts((-1, 3, 2)), ValueFacts((7, -1, 4))])[0].dims == (7, 3, 4)


def test_half_precision_is_added_up_in_single_precision():
    ones = np.ones((1, 4096), np.float16)
    (result,) = MatrixMultiply(Op.NONE, Op.TRANSPOSE).run([ones, ones])
    assert (result.item(), result.dtype) == (4096, np.float16)


@pytest.mark.parametrize(
    ("first", "op0", "second", "op1", "message"),
    [
        ((2, 3), Op.NONE, (2, 3), Op.NONE, "no common dimension"),
        ((3,), Op.NONE, (3, 2), Op.NONE, "2 are needed"),
        ((), Op.VECTOR, (3,), Op.VECTOR, "1 are needed"),
        ((5, 2, 3), Op.NONE, (3, 2), Op.NONE, "same number of dimensions"),
        ((5, 2, 3), Op.NONE, (4, 3, 2), Op.NONE, "cannot be broadcast"),
    ],
)
def test_what_does_not_fit_is_refused(first, op0, second, op1, message):
    with pytest.raises(Refused, match=message):
        MatrixMultiply(op0, op1).infer([ValueFacts(first), ValueFacts(second)])


def test_types():
    operation = MatrixMultiply(Op.NONE, Op.NONE)
    assert operation.types([DataType.HALF] * 2) == (DataType.HALF,)
    with pytest.raises(Refused, match="a matrix has type INT32"):
        operation.types([DataType.INT32] * 2)
    with pytest.raises(Refused, match="same type"):
        operation.types([DataType.HALF, DataType.FLOAT])
