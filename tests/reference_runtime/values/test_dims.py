import pytest

from reference_runtime.bound.bound_class import state
from reference_runtime.bound.conversions import Mismatch
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.values.dims import Dims, Dims3, DimsHW, Permutation, assign, to_dims, values


def test_a_backward_slice_is_where_the_original_crashes():
    with pytest.raises(NativeCrash, match="sliced backwards"):
        Dims([1, 2, 3])[::-1]


def test_a_step_of_zero_is_an_incorrect_slice():
    with pytest.raises(ValueError, match="Incorrect getter slice dims"):
        Dims([1, 2])[::0]
    with pytest.raises(ValueError, match="Incorrect setter slice dims"):
        Dims([1, 2])[::0] = (1, 2)


def test_a_shape_of_minus_one_dimensions_has_no_length():
    shape = Dims()
    state(shape)["length"] = -1
    with pytest.raises(ValueError, match="__len__"):
        len(shape)


def test_values_are_plain_integers_without_the_unused_tail():
    assert values(Dims3(1, 2, 3)) == (1, 2, 3)
    assert values(Dims()) == ()


def test_assign_copies_and_does_not_share():
    source, target = Dims([1, 2]), Dims([9, 9, 9])
    assign(target, source)
    source[0] = 7
    assert target == (1, 2)


def test_a_parameter_of_type_dims_takes_dims_and_sequences():
    shape = DimsHW(1, 2)
    assert to_dims(shape) is shape
    assert to_dims(range(3)) == (0, 1, 2)
    for wrong in ((1,) * 9, "12", None, 3, (1.5,)):
        with pytest.raises(Mismatch):
            to_dims(wrong)


def test_a_permutation_is_indexed_from_both_ends():
    order = Permutation([2, 0, 1])
    assert (order[2], order[-8]) == (1, 2)
    with pytest.raises(IndexError):
        order[8]
