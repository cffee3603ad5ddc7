import numpy as np
import pytest

from reference_runtime.operations.elementwise import Elementwise, Select
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ElementWiseOperation as Op
from reference_runtime.values.refusals import Refused

T = DataType
SIX, MINUS_FOUR = np.array([6.0], np.float32), np.array([-4.0], np.float32)


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (Op.SUM, 2.0),
        (Op.PROD, -24.0),
        (Op.MAX, 6.0),
        (Op.MIN, -4.0),
        (Op.SUB, 10.0),
        (Op.DIV, -1.5),
        (Op.POW, 1 / 1296),
        (Op.FLOOR_DIV, -2.0),
        (Op.EQUAL, False),
        (Op.GREATER, True),
        (Op.LESS, False),
    ],
)
def test_real_numbers(op, expected):
    (result,) = Elementwise(op).run([SIX, MINUS_FOUR])
    assert result.tolist() == pytest.approx([expected])
    assert result.dtype == (np.bool_ if op in {Op.EQUAL, Op.GREATER, Op.LESS} else np.float32)


@pytest.mark.parametrize(
    ("op", "expected"),
    [(Op.AND, [0, 0, 0, 1]), (Op.OR, [0, 1, 1, 1]), (Op.XOR, [0, 1, 1, 0])],
)
def test_truth_values(op, expected):
    first, second = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    assert Elementwise(op).run([first, second])[0].tolist() == expected


@pytest.mark.parametrize(
    ("first", "second", "towards_zero", "down"), [(7, 2, 3, 3), (-7, 2, -3, -4), (7, -2, -3, -4), (5, 0, 0, 0)]
)
def test_whole_numbers_are_divided_towards_zero_or_down(first, second, towards_zero, down):
    operands = [np.array([first], np.int64), np.array([second], np.int64)]
    assert Elementwise(Op.DIV).run(operands)[0].tolist() == [towards_zero]
    assert Elementwise(Op.FLOOR_DIV).run(operands)[0].tolist() == [down]


def test_extents_of_one_are_broadcast_and_unknown_ones_follow_the_known():
    (facts,) = Elementwise(Op.SUM).infer([ValueFacts((1, -1, 3, -1)), ValueFacts((5, 7, 1, 1))])
    assert facts.dims == (5, 7, 3, -1)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [((2, 3), (3,), "same number of dimensions"), ((2, 3), (2, 4), "must be equal or 1")],
)
def test_what_cannot_be_broadcast_is_refused(first, second, message):
    with pytest.raises(Refused, match=message):
        Elementwise(Op.SUM).infer([ValueFacts(first), ValueFacts(second)])


@pytest.mark.parametrize(
    ("op", "inputs", "output"),
    [
        (Op.SUM, (T.INT64, T.INT64), T.INT64),
        (Op.LESS, (T.HALF, T.HALF), T.BOOL),
        (Op.AND, (T.BOOL, T.BOOL), T.BOOL),
        (Op.POW, (T.BF16, T.BF16), T.BF16),
    ],
)
def test_types(op, inputs, output):
    assert Elementwise(op).types(inputs) == (output,)


@pytest.mark.parametrize(
    ("op", "inputs"),
    [
        (Op.SUM, (T.FLOAT, T.INT32)),
        (Op.SUM, (T.BOOL, T.BOOL)),
        (Op.AND, (T.INT32, T.INT32)),
        (Op.POW, (T.INT32, T.INT32)),
        (Op.EQUAL, (T.BOOL, T.BOOL)),
    ],
)
def test_types_that_do_not_go_together_are_refused(op, inputs):
    with pytest.raises(Refused, match="type"):
        Elementwise(op).types(inputs)


def test_values_are_known_where_both_operands_are():
    (facts,) = Elementwise(Op.PROD).infer([ValueFacts((3,), (2, None, 4)), ValueFacts((1,), (5,))])
    assert facts == ValueFacts((3,), (10, None, 20))
    assert Elementwise(Op.PROD).infer([ValueFacts((3,)), ValueFacts((1,), (5,))])[0].values is None
    half = Elementwise(Op.PROD).infer([ValueFacts((2,), reals=(3.0, None)), ValueFacts((1,), reals=(0.5,))])[0]
    assert half == ValueFacts((2,), reals=(1.5, None))
    assert Elementwise(Op.POW).infer([ValueFacts((1,), (2,)), ValueFacts((1,), (-1,))])[0] == ValueFacts((1,))


def test_select_takes_from_either_side():
    condition = np.array([[True], [False]])
    (result,) = Select().run([condition, np.array([[1, 2]]), np.array([[3, 4]])])
    assert result.tolist() == [[1, 2], [3, 4]]


def test_a_selected_value_is_known_where_the_chosen_one_is():
    condition = ValueFacts((3,), (1, 0, None))
    (facts,) = Select().infer([condition, ValueFacts((3,), (1, None, 3)), ValueFacts((3,), (None, 5, 6))])
    assert facts == ValueFacts((3,), (1, 5, None))
    assert Select().infer([ValueFacts((2, 1)), ValueFacts((1, -1)), ValueFacts((1, 1))])[0] == ValueFacts((2, -1))


def test_types_of_a_select():
    assert Select().types([T.BOOL, T.INT32, T.INT32]) == (T.INT32,)
    with pytest.raises(Refused, match="condition"):
        Select().types([T.INT32, T.INT32, T.INT32])
    with pytest.raises(Refused, match="same type"):
        Select().types([T.BOOL, T.INT32, T.INT64])
