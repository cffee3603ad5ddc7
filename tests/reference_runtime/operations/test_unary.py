import math

import numpy as np
import pytest

from reference_runtime.operations.unary import Unary
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import UnaryOperation as Op
from reference_runtime.values.refusals import Refused

T = DataType


@pytest.mark.parametrize(
    ("op", "given", "expected"),
    [
        (Op.EXP, 1.0, math.e),
        (Op.LOG, 8.0, 2.0794415),
        (Op.SQRT, 6.25, 2.5),
        (Op.RECIP, 8.0, 0.125),
        (Op.ABS, -2.5, 2.5),
        (Op.NEG, 2.5, -2.5),
        (Op.SIN, math.pi / 6, 0.5),
        (Op.COS, math.pi / 3, 0.5),
        (Op.TAN, math.pi / 4, 1.0),
        (Op.SINH, 1.0, 1.1752012),
        (Op.COSH, 1.0, 1.5430806),
        (Op.ASIN, 0.5, math.pi / 6),
        (Op.ACOS, 0.5, math.pi / 3),
        (Op.ATAN, 1.0, math.pi / 4),
        (Op.ASINH, 1.1752012, 1.0),
        (Op.ACOSH, 1.5430806, 1.0),
        (Op.ATANH, 0.7615942, 1.0),
        (Op.CEIL, 1.2, 2.0),
        (Op.FLOOR, -1.2, -2.0),
        (Op.ERF, 0.5, 0.5204999),
        (Op.SIGN, -3.0, -1.0),
        (Op.ROUND, 2.5, 2.0),
        (Op.ROUND, 3.5, 4.0),
        (Op.ISINF, math.inf, True),
        (Op.ISINF, 1.0, False),
        (Op.ISNAN, math.nan, True),
        (Op.ISNAN, math.inf, False),
    ],
)
def test_each_function(op, given, expected):
    (result,) = Unary(op).run([np.array([[given]], np.float32)])
    assert result.shape == (1, 1)
    assert result.item() == pytest.approx(expected, rel=1e-5)


def test_not_turns_truth_values_round():
    assert Unary(Op.NOT).run([np.array([True, False])])[0].tolist() == [False, True]


@pytest.mark.parametrize("op", [Op.ABS, Op.NEG, Op.SIGN])
def test_signs_are_taken_of_whole_numbers_too(op):
    expected = {"ABS": 3, "NEG": 3, "SIGN": -1}[op.name]
    assert Unary(op).types([T.INT64]) == (T.INT64,)
    assert Unary(op).infer([ValueFacts((2,), (-3, None))])[0] == ValueFacts((2,), (expected, None))


def test_questions_give_truth_values():
    assert Unary(Op.ISNAN).types([T.HALF]) == (T.BOOL,)


@pytest.mark.parametrize(("op", "dtype"), [(Op.EXP, T.INT32), (Op.NOT, T.FLOAT), (Op.ABS, T.BOOL)])
def test_other_types_are_refused(op, dtype):
    with pytest.raises(Refused, match=f"the input of {op.name} has type {dtype.name}"):
        Unary(op).types([dtype])


def test_extents_stay_and_values_follow():
    assert Unary(Op.EXP).infer([ValueFacts((2, -1))])[0] == ValueFacts((2, -1))
    assert Unary(Op.CEIL).infer([ValueFacts((2,), reals=(1.5, None))])[0] == ValueFacts((2,), reals=(2.0, None))
    assert Unary(Op.NOT).infer([ValueFacts((2,), (1, 0))])[0] == ValueFacts((2,), (0, 1))
