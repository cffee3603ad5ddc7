"""Comparing what was computed with what was expected."""

import numpy as np
import pytest

from harness.cases.case import Case, Tolerance
from harness.checks.observation.comparing import DEFAULT_TOLERANCES, first_difference, tolerance_of

NAN, INF = float("nan"), float("inf")


def test_equal_arrays_have_no_difference():
    arrays = [np.array([[1.0, NAN], [INF, -INF]]), np.zeros((0, 3))]
    assert first_difference(arrays, [array.copy() for array in arrays]) is None


def test_the_worst_element_is_named_and_the_others_counted():
    difference = first_difference([np.array([[1.0, 2.5], [9.0, 4.0]])], [np.array([[1.0, 2.0], [3.0, 4.0]])])
    assert str(difference) == "outputs[0][1, 0]: expected 3.0, observed 9.0 (2 elements differ)"


def test_the_first_output_that_differs_is_named():
    same, other = np.zeros(2), np.ones(2)
    assert first_difference([same, other, other], [same, same, same]).where.startswith("outputs[1]")


@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_no_tolerance_makes_a_number_of_what_is_none(value):
    huge = [Tolerance(rtol=1e9, atol=1e9)]
    assert first_difference([np.array([value])], [np.array([1.0])], huge) is not None
    assert first_difference([np.array([1.0])], [np.array([value])], huge) is not None


def test_a_tolerance_is_relative_and_absolute():
    loose = [Tolerance(rtol=0.1, atol=1.0)]
    assert first_difference([np.array([111.0])], [np.array([100.0])], loose) is None
    assert first_difference([np.array([112.0])], [np.array([100.0])], loose) is not None


def test_shapes_and_numbers_of_outputs_differ_too():
    shapes = first_difference([np.zeros((2, 3))], [np.zeros((3, 2))])
    assert str(shapes) == "outputs[0].shape: expected (3, 2), observed (2, 3)"
    assert str(first_difference([], [np.zeros(1)])) == "outputs: expected 1 outputs, observed 0 outputs"


def test_integers_far_apart_do_not_wrap_around():
    one, other = np.array([-128], np.int8), np.array([127], np.int8)
    assert first_difference([one], [other], [Tolerance(atol=100)]) is not None


def test_the_cases_tolerance_comes_before_the_types():
    mine = Tolerance(rtol=0.5)
    assert tolerance_of(Case(plugin="P", tolerance=mine), "float32") == mine
    assert tolerance_of(Case(plugin="P", tolerance={"float16": mine}), "float16") == mine
    assert tolerance_of(Case(plugin="P", tolerance={"float16": mine}), "float32").rtol == pytest.approx(1e-5)
    assert tolerance_of(Case(plugin="P"), "int32") == Tolerance()


def test_what_cancels_out_is_near_by_the_largest_value_where_the_case_names_no_tolerance():
    wanted, observed = np.array([100.0, 0.2]), np.array([100.0, 0.2005])
    assert first_difference([observed], [wanted], [DEFAULT_TOLERANCES["float32"]]) is None
    told = Tolerance(rtol=1e-5, atol=1e-5)
    assert first_difference([observed], [wanted], [told]).where == "outputs[0][1]"
