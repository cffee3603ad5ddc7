import numpy as np
import pytest

from reference_runtime.operations.shuffle import Shuffle
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused

DATA = np.arange(24).reshape(2, 3, 4)


def test_without_settings_nothing_moves():
    assert Shuffle().run([DATA])[0].tolist() == DATA.tolist()


def test_first_a_transposition_then_a_reshape_then_another_transposition():
    shuffle = Shuffle((2, 0, 1, 0, 0, 0, 0, 0), (4, 6), (1, 0))
    (result,) = shuffle.run([DATA])
    assert result.shape == (6, 4)
    assert [result[row, column] for row in (0, 5) for column in (0, 3)] == [DATA[0, 0, 0], 3, DATA[1, 2, 0], 23]
    assert result[:, 1].tolist() == [1, 5, 9, 13, 17, 21]


@pytest.mark.parametrize(
    ("dims", "wanted", "expected"),
    [
        ((2, 3, 4), (0, -1), (2, 12)),
        ((2, 3, 4), (-1,), (24,)),
        ((-1, 3, 4), (0, -1), (-1, 12)),
        ((-1, 3, 4), (-1, 12), (-1, 12)),
        ((-1, -1, 4), (0, 0, 2, 2), (-1, -1, 2, 2)),
        ((2, 1), (2,), (2,)),
        ((1,), (), ()),
        ((0, 3), (0, 3), (0, 3)),
    ],
)
def test_zeros_copy_and_the_wildcard_is_worked_out(dims, wanted, expected):
    assert Shuffle(reshape_dims=wanted).infer([ValueFacts(dims)])[0].dims == expected


def test_zero_may_mean_zero():
    shuffle = Shuffle(reshape_dims=(0, 5), zero_is_placeholder=False)
    assert shuffle.infer([ValueFacts((7, 0))])[0].dims == (0, 5)
    assert shuffle.run([np.zeros((7, 0))])[0].shape == (0, 5)


@pytest.mark.parametrize(
    ("dims", "wanted", "message"),
    [
        ((2, 3), (5,), "number of elements differs"),
        ((2, 3), (4, -1), "no dimension fits"),
        ((2, 3), (-1, -1), "only one dimension"),
        ((2, 3), (-2, 3), "below -1"),
        ((2, 3), (2, 3, 0), "no dimension to copy"),
        ((0, 3), (0, -1, 0), "no dimension to copy"),
    ],
)
def test_extents_that_do_not_fit_are_refused(dims, wanted, message):
    with pytest.raises(Refused, match=message):
        Shuffle(reshape_dims=wanted).infer([ValueFacts(dims)])


def test_a_permutation_must_name_each_axis_once():
    with pytest.raises(Refused, match="no permutation of 2 axes"):
        Shuffle((0, 0, 1, 2, 3, 4, 5, 6)).infer([ValueFacts((2, 3))])


def test_a_second_input_is_the_shape():
    shuffle = Shuffle(operands=(0, 1))
    assert shuffle.shape_operands == {1}
    assert shuffle.run([DATA, np.array([0, 12], np.int64)])[0].shape == (2, 12)
    assert shuffle.infer([ValueFacts((-1, 3, 4)), ValueFacts((2,), (None, 12))])[0].dims == (-1, 12)
    assert shuffle.infer([ValueFacts((2, 3, 4)), ValueFacts((2,))])[0].dims == (-1, -1)
    with pytest.raises(Refused, match="1-D"):
        shuffle.infer([ValueFacts((2, 3, 4)), ValueFacts((-1,))])


def test_values_keep_their_order():
    assert Shuffle(reshape_dims=(1, -1)).infer([ValueFacts((3,), (1, None, 3))])[0] == ValueFacts((1, 3), (1, None, 3))
    moved = Shuffle((1, 0)).infer([ValueFacts((2, 2), (1, 2, None, 4))])[0]
    assert moved == ValueFacts((2, 2), (1, None, 2, 4))


def test_types():
    assert Shuffle().types([DataType.FP8]) == (DataType.FP8,)
    assert Shuffle(operands=(0, 1)).types([DataType.HALF, DataType.INT32]) == (DataType.HALF,)
    with pytest.raises(Refused, match="the shape that a shuffle is given has type FLOAT"):
        Shuffle(operands=(0, 1)).types([DataType.HALF, DataType.FLOAT])
