"""Dimensions that inputs have in common vary apart if the plugin runs with all sizes of them."""

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


def test_an_input_that_is_alone_keeps_its_names():
    assert separated(lambda _: True, square("N", "N")) == [("N", "N")]
