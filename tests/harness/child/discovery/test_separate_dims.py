"""Dimensions that inputs have in common vary apart if the plugin runs with all sizes of them."""

import math

from harness.cases.case import Case
from harness.cases.input import Input
from harness.child.discovery.separate_dims import with_separate_dims


class Runs:
    """Attempts with a plugin that runs if a condition about its shapes is met."""

    def __init__(self, condition):
        self.condition = condition

    def take(self, _case, *shapes):
        return all(self.condition(*each) for each in shapes)


def square(*names):
    return Input(dims=names, min=(2, 2), opt=(8, 8), max=(16, 16))


def separated(condition, *inputs):
    case = with_separate_dims(Runs(condition), Case(plugin="P", inputs=inputs))
    return [each.dims for each in case.inputs]


def test_a_product_of_squares_becomes_one_of_rectangles():
    (m, k), (also_k, n) = separated(lambda a, b: a[1] == b[0], square("S", "S"), square("S", "S"))
    assert k == also_k
    assert len({m, k, n}) == 3


def test_dimensions_that_must_be_equal_stay_so():
    assert separated(lambda a, b: a == b, square("N", "M"), square("N", "M")) == [("N", "M")] * 2


def test_a_second_input_that_may_be_greater_and_not_smaller_is_not_apart():
    """Such a plugin reads as many elements of it as the first input has, and does not check."""
    assert separated(lambda a, b: b[0] >= a[0] and b[1] == a[1], square("N", "M"), square("N", "M")) == [("N", "M")] * 2


def test_a_dimension_of_two_inputs_is_apart_from_one_that_is_equal_by_chance():
    """A batch of products: the batch, the inner dimension and the two outer ones."""

    def multiply(a, b, bias):
        return a[0] == b[0] and a[2] == b[1] and b[2] == bias[0]

    cube = Input(dims=("S",) * 3, min=(1,) * 3, opt=(5,) * 3, max=(7,) * 3)
    row = Input(dims=("S",), min=(1,), opt=(5,), max=(7,))
    (batch, m, k), (also_batch, also_k, n), (also_n,) = separated(multiply, cube, cube, row)
    assert (batch, k, n) == (also_batch, also_k, also_n)
    assert len({batch, m, k, n}) == 4


def test_an_axis_of_all_inputs_is_apart():
    cube = Input(dims=("S",) * 2, min=(1,) * 2, opt=(5,) * 2, max=(7,) * 2)
    dims = separated(lambda *all_of: len({each[0] for each in all_of}) == 1, cube, cube, cube)
    assert len({first for first, _ in dims}) == 1
    assert len({dim for each in dims for dim in each}) == 4


def test_a_second_input_that_must_be_as_great_as_the_first_stays_so():
    """Only where the first is great and the second small does it read beyond."""
    flat = Input(dims=("N", "M"), min=(1, 1), opt=(2, 3), max=(3, 4))
    assert separated(lambda a, b: math.prod(b) >= math.prod(a), flat, flat) == [("N", "M")] * 2


def test_an_input_that_is_alone_keeps_its_names():
    assert separated(lambda _: True, square("N", "N")) == [("N", "N")]
