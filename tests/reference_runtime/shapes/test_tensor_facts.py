import numpy as np
import pytest

from reference_runtime.shapes.tensor_facts import MOST_VALUES, ValueFacts, are_kept, carried, mapped, traced


def test_extents_are_settled_when_all_are_known():
    assert ValueFacts((2, 0)).settled
    assert not ValueFacts((2, -1)).settled


def test_the_bound_is_what_it_cannot_exceed():
    assert ValueFacts((2, -1)).bound == (2, -1)
    assert ValueFacts((2, -1), most=(2, 9)).bound == (2, 9)


def test_values_are_traced_with_what_is_known_of_them():
    found = traced(ValueFacts((2, 2), (1, None, 0, -5)))
    assert [array.tolist() for array in found] == [[[1, 0], [0, -5]], [[True, False], [True, True]]]


@pytest.mark.parametrize("facts", [ValueFacts((2,)), ValueFacts((-1,), (1,)), ValueFacts((MOST_VALUES + 1,), ())])
def test_there_is_nothing_to_trace(facts):
    assert traced(facts) is None


def test_values_that_are_not_known_are_carried_as_none():
    assert carried((1, 2), np.array([[7, 8]]), np.array([[True, False]])) == ValueFacts((1, 2), (7, None))
    assert carried((), np.array(1, bool), np.array(1, bool)) == ValueFacts((), (1,))


def test_real_numbers_are_kept_apart():
    facts = carried((2,), np.array([1.5, 2.0]), np.array([True, False]))
    assert facts == ValueFacts((2,), reals=(1.5, None))
    assert [array.tolist() for array in traced(facts)] == [[1.5, 0.0], [True, False]]


def test_what_is_computed_element_by_element_is_known_where_the_operand_is():
    assert mapped(ValueFacts((2,), (3, None)), lambda values: -values) == ValueFacts((2,), (-3, None))
    assert mapped(ValueFacts((2, -1)), lambda values: -values) == ValueFacts((2, -1))


def test_values_are_kept_of_small_tensors():
    assert are_kept((MOST_VALUES,))
    assert not are_kept((MOST_VALUES, 2))
    assert not are_kept((-1,))
