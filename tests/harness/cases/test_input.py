"""What a case may say of one input, and how it is refused."""

import math

import numpy as np
import pytest

from harness.cases.input import CaseError, Input

INT64 = {"shape_input": True, "types": "int64"}


def test_fixed_dims_are_their_own_profile():
    entry = Input(dims=(2, 3))
    assert entry.profile == ((2, 3), (2, 3), (2, 3))
    assert entry.network_dims == (2, 3)


def test_named_dims_are_dynamic_even_where_the_profile_has_one_extent():
    entry = Input(dims=("N", 3), min=(4, 3), max=(4, 3))
    assert entry.network_dims == (-1, 3)


def test_without_dims_the_extents_that_vary_are_dynamic():
    assert Input(min=(1, 3), opt=(2, 3), max=(4, 3)).network_dims == (-1, 3)


def test_opt_defaults_to_max():
    assert Input(min=(1,), max=(4,)).profile == ((1,), (4,), (4,))


def test_numbers_may_be_those_of_numpy():
    entry = Input(dims=np.array([2, 3]), scale=np.float32(0.5), values=np.array([0.0, 1.0]))
    assert entry.profile[0] == (2, 3)
    assert type(entry.profile[0][0]) is int
    assert (entry.scale, entry.values) == (0.5, (0.0, 1.0))


def test_one_type_may_be_given_as_a_string():
    assert Input(dims=(1,), types="int32").types == ("int32",)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"dims": ("N", 3)}, "needs min, opt and max"),
        ({"min": (1,)}, "needs min and max"),
        ({"dims": (1, 2), "min": (1,), "max": (1,)}, "different ranks"),
        ({"min": (3,), "opt": (2,), "max": (4,)}, "min <= opt <= max, has 3, 2, 4"),
        ({"min": (-1,), "max": (4,)}, "0 <= min"),
        ({"dims": (3,), "min": (1,), "max": (3,)}, "fixed at 3, but the profile allows 1 to 3"),
        ({"dims": (1,), "types": ("float31",)}, "'float31'"),
        ({"dims": (1,) * 9}, "rank 9 is above"),
        ({"dims": 3}, "dims is 3: write a tuple of dimensions"),
        ({"dims": ([1, 2],)}, "dims[0] is [1, 2]: write a number from 0 up, or a name in quotes"),
        ({"dims": (-1, 3)}, "dims[0] is -1: write a number from 0 up, or a name in quotes for a dynamic dimension"),
        ({"dims": ("", 3)}, "dims[0] is '': write a number from 0 up, or a name"),
        ({"min": ("1",), "max": (4,)}, "min[0] is '1': write a whole number"),
        ({"min": (1,), "max": (4.0,)}, "max[0] is 4.0: write a whole number"),
        ({"min": (True,), "max": (4,)}, "min[0] is True: write a whole number"),
        ({"min": "1", "max": (4,)}, "min is '1': write a tuple of whole numbers"),
        ({"min": (1,), "max": {4}}, "max is {4}: write a tuple of whole numbers"),
        ({"dims": (1,), "types": ()}, "types is (): write at least one of float32"),
        ({"dims": (1,), "types": np.float32}, "types is <class 'numpy.float32'>: write a tuple of names"),
        ({"dims": (1,), "types": (np.float32,)}, "types holds <class 'numpy.float32'>; known are 'float32', "),
        ({"dims": (1,), "values": (1,)}, "values is (1,): write (low, high), two numbers, or a function"),
        ({"dims": (1,), "values": ("0", "1")}, "values is ('0', '1'): write (low, high), two numbers"),
        ({"dims": (1,), "values": (0, math.inf)}, "values is (0, inf): write (low, high), two numbers"),
        ({"dims": (1,), "values": (2, 1)}, "values is (2, 1): write the lower bound first: (1, 2)"),
        ({"dims": (1,), "scale": "0.1"}, "scale is '0.1': write a number above 0"),
        ({"dims": (1,), "scale": 0}, "scale is 0: write a number above 0"),
        ({"dims": (1,), "shape_input": "yes"}, "shape_input is 'yes': write True or False"),
        ({"dims": (1,), "shape_input": 1}, "shape_input is 1: write True or False"),
    ],
)
def test_a_malformed_input_says_what_is_wrong(keys, message):
    with pytest.raises(CaseError) as caught:
        Input(**keys)
    assert message in str(caught.value)


def test_a_shape_input_has_values_for_a_profile_and_extents_of_its_own():
    entry = Input(**INT64, dims=(2, 3), min=(-1, 1, 1, 1, 1, 1), max=(2, 2, 2, 2, 2, 2))
    assert entry.profile == ((-1, 1, 1, 1, 1, 1), (2,) * 6, (2,) * 6)
    assert entry.network_dims == (2, 3)
    assert entry.names == (None,) * 6


def test_a_shape_input_has_one_dimension_unless_its_own_are_given():
    assert Input(**INT64, min=(1, 2), max=(3, 4)).network_dims == (2,)
    assert Input(**INT64, dims=(), min=(1,), max=(3,)).network_dims == ()


def test_names_are_told_by_place():
    assert Input(dims=("N", 3), min=(1, 3), max=(4, 3)).names == ("N", None)
    assert Input(min=(1, 3), max=(4, 3)).names == (None, None)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"types": "float32"}, "a shape input has one type, int32 or int64; types is ('float32',)"),
        ({"types": ("int32", "int64")}, "a shape input has one type"),
        ({"min": None, "max": None}, "a shape input needs its values as min and max"),
        ({"dims": (3,)}, "min has 2 values, and a shape input with dims=(3,) has 3"),
        ({"opt": (1,)}, "opt has 1 values, and a shape input with dims=(2,) has 2"),
        ({"dims": ("N",)}, "dims=('N',): the dimensions of a shape input are fixed numbers"),
        ({"dims": (1,) * 8 + (2,)}, "rank 9 is above"),
        ({"min": (9, 9)}, "value 0 needs min <= opt <= max, has 9, 3, 3"),
        ({"types": "int32", "max": (3, 2**31), "opt": (2, 2)}, f"value 1 can be {2**31}, which does not fit int32"),
        ({"values": (0, 1)}, "a shape input has its values from min, opt and max; leave out values and scale"),
    ],
)
def test_a_malformed_shape_input_says_what_is_wrong(keys, message):
    with pytest.raises(CaseError) as caught:
        Input(**{**INT64, "min": (1, 2), "max": (3, 4), **keys})
    assert message in str(caught.value)
