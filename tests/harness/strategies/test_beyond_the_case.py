"""Questions beyond a case have every rank and great dimensions, and keep to the case where the rank is its own."""

import collections
import math

import pytest

from harness.cases.case import Case, Input
from harness.cases.facts import Facts
from harness.cases.input import LARGEST
from harness.checks.shapes.beyond_the_case import insist_on_shapes
from harness.contract.finding import NotApplicable
from harness.strategies import hypothesis_settings
from harness.strategies.beyond_the_case import any_questions

IMAGES = Input(dims=("N", 3, "W"), min=(1, 3, 4), max=(64, 3, 2048))
ROWS = Input(dims=("N", "W"), min=(1, 4), max=(64, 2048))
SIZE = Input(shape_input=True, types=("int32",), min=(0, 7), max=(4, 7))
CASE = Case("Bar", inputs=(IMAGES, ROWS, SIZE))


def questions(*inputs, number=300):
    return hypothesis_settings.drawn(any_questions(Facts(inputs)), number, seeded=1)


def test_every_rank_is_asked_for_and_the_own_one_most():
    drawn = hypothesis_settings.drawn(any_questions(Facts((IMAGES,))), 130, seeded=1)
    ranks = collections.Counter(len(each["shapes"][0]) for each in drawn)
    assert set(ranks) == set(range(9))
    assert ranks.most_common(1)[0][0] == 3


def test_volumes_lie_around_those_of_31_bits_and_extents_are_those_of_tensorrt():
    shapes = [each["shapes"][0] for each in questions(IMAGES)]
    extents = {extent for shape in shapes for extent in shape}
    assert extents >= {0, 1, LARGEST}
    assert (min(extents), max(extents)) == (0, LARGEST)
    assert len({math.prod(shape) for shape in shapes if 2**28 < math.prod(shape) < 2**34}) > 10


def test_all_of_it_can_be_asked():
    for example in questions(IMAGES, ROWS, SIZE):
        assert insist_on_shapes(CASE, example["shapes"])
        assert 0 <= example["known"] < 256


def test_names_and_fixed_extents_hold_where_the_rank_is_that_of_the_case():
    own = [each["shapes"] for each in questions(IMAGES, ROWS, SIZE) if len(each["shapes"][0]) == 3]
    assert all(images[1] == 3 and [images[0], images[2]] == rows for images, rows, _ in own)


def test_inputs_of_other_ranks_end_alike():
    other = [each["shapes"] for each in questions(IMAGES, ROWS) if len(each["shapes"][0]) > 3]
    assert other
    assert all(images[1:] == rows for images, rows in other)


def test_a_value_that_cannot_vary_stays():
    assert {each["shapes"][2][1] for each in questions(IMAGES, ROWS, SIZE)} == {7}


def test_who_has_no_inputs_cannot_be_asked():
    with pytest.raises(NotApplicable, match="no inputs"):
        any_questions(Facts((SIZE,)))
