"""Guessed dimensions get all sizes with which the plugin runs."""

from harness.cases.case import Case
from harness.cases.input import Input
from harness.child.discovery.wider_dims import with_wider_dims


class Runs:
    """Attempts with a plugin that runs if a condition about its shapes is met."""

    def __init__(self, condition):
        self.condition = condition

    def take(self, _case, *shapes):
        return all(self.condition(*each) for each in shapes)


def widened(condition, *inputs):
    return with_wider_dims(Runs(condition), Case(plugin="P", inputs=inputs)).inputs


HELD = Input(dims=("N", 4), min=(4, 4), opt=(4, 4), max=(8, 4))


def test_dimensions_begin_at_one_and_vary():
    (entry,) = widened(lambda _: True, HELD)
    assert entry.profile == ((1, 1), (4, 4), (8, 8))
    assert entry.network_dims == (-1, -1)


def test_a_dimension_that_must_be_fixed_is():
    (entry,) = widened(lambda x: x[1] == 4, HELD)
    assert entry.profile == ((1, 4), (4, 4), (8, 4))


def test_a_dimension_that_must_be_even_begins_where_it_did():
    (entry,) = widened(lambda x: x[0] % 2 == 0 and x[1] == 4, HELD)
    assert entry == HELD


def test_a_dimension_of_two_inputs_begins_at_one_in_both():
    row = Input(dims=("N",), min=(4,), opt=(4,), max=(8,))
    first, second = widened(lambda x, y: x[0] == y[0] and x[1] == 4, HELD, row)
    assert (first.min, second.min) == ((1, 4), (1,))


def test_a_shape_input_keeps_its_values():
    size = Input(min=(2, 2), opt=(4, 4), max=(8, 8), types=("int64",), shape_input=True)
    assert widened(lambda *_: True, HELD, size)[1] == size
