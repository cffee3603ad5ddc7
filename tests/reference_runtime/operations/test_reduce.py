import math

import numpy as np
import pytest

from reference_runtime.operations.reduce import Reduce
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ReduceOperation as Op
from reference_runtime.values.refusals import Refused

T = DataType
DATA = np.array([[1.0, 2.0, 6.0], [-4.0, 0.5, 3.0]], np.float32)


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (Op.SUM, [9.0, -0.5]),
        (Op.PROD, [12.0, -6.0]),
        (Op.MAX, [6.0, 3.0]),
        (Op.MIN, [1.0, -4.0]),
        (Op.AVG, [3.0, -0.1666667]),
    ],
)
def test_each_reduction(op, expected):
    assert Reduce(op, 0b10, keep_dims=False).run([DATA])[0].tolist() == pytest.approx(expected)
    kept = Reduce(op, 0b10, keep_dims=True).run([DATA])[0]
    assert kept.shape == (2, 1)
    assert kept.reshape(-1).tolist() == pytest.approx(expected)


def test_a_mask_may_name_several_axes():
    assert Reduce(Op.SUM, 0b11, keep_dims=False).run([DATA])[0].item() == 8.5
    assert Reduce(Op.SUM, 0b101, keep_dims=True).infer([ValueFacts((2, -1, 4))])[0].dims == (1, -1, 1)
    assert Reduce(Op.SUM, 0b101, keep_dims=False).infer([ValueFacts((2, -1, 4))])[0].dims == (-1,)


@pytest.mark.parametrize(
    ("op", "real", "whole"),
    [
        (Op.SUM, 0.0, 0),
        (Op.PROD, 1.0, 1),
        (Op.MAX, -math.inf, -(2**31)),
        (Op.MIN, math.inf, 2**31 - 1),
    ],
)
def test_nothing_reduces_to_what_changes_nothing(op, real, whole):
    assert Reduce(op, 1, keep_dims=False).run([np.zeros(0, np.float32)])[0].item() == real
    assert Reduce(op, 1, keep_dims=False).run([np.zeros(0, np.int32)])[0].item() == whole


def test_the_mean_of_nothing_is_no_number():
    assert math.isnan(Reduce(Op.AVG, 1, keep_dims=False).run([np.zeros(0, np.float32)])[0].item())


def test_the_mean_of_whole_numbers_is_cut_towards_zero():
    assert Reduce(Op.AVG, 1, keep_dims=False).run([np.array([-3, -4], np.int32)])[0].item() == -3


def test_half_precision_is_added_up_in_single_precision():
    many = np.full(4096, 1.0, np.float16)
    assert Reduce(Op.SUM, 1, keep_dims=False).run([many])[0].item() == 4096
    assert Reduce(Op.AVG, 1, keep_dims=False).run([many])[0].dtype == np.float16


def test_values_are_known_where_all_operands_are():
    assert Reduce(Op.PROD, 1, keep_dims=True).infer([ValueFacts((3,), (2, 3, 4))])[0] == ValueFacts((1,), (24,))
    assert Reduce(Op.PROD, 1, keep_dims=False).infer([ValueFacts((3,), (2, None, 4))])[0] == ValueFacts((), (None,))


@pytest.mark.parametrize(("mask", "message"), [(0, "at least one axis"), (0b100, "has 2 dimensions")])
def test_masks_that_fit_no_axis_are_refused(mask, message):
    with pytest.raises(Refused, match=message):
        Reduce(Op.SUM, mask, keep_dims=True).infer([ValueFacts((2, 3))])


def test_types():
    assert Reduce(Op.MAX, 1, keep_dims=True).types([T.INT64]) == (T.INT64,)
    with pytest.raises(Refused, match="has type BOOL"):
        Reduce(Op.MAX, 1, keep_dims=True).types([T.BOOL])
    with pytest.raises(Refused, match="NONE is no reduction"):
        Reduce(Op.NONE, 1, keep_dims=True).types([T.FLOAT])
