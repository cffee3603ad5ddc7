"""Shapes that a coarse key takes for one another."""

import math

import pytest

from harness.cases.case import Case, Input
from harness.checks.sampling.confusable import confusable_shapes


def case_of(*profiles):
    return Case(plugin="P", inputs=tuple(Input(dims=d, min=a, opt=b, max=c) for d, a, b, c in profiles))


IMAGES = case_of((("N", 3, "W"), (1, 3, 1), (2, 3, 5), (4, 3, 9)))
FAR_APART = case_of((("N", "W"), (1, 200), (2, 256), (8, 1024)))
MATRICES = case_of((("A", "B"), (1, 1), (2, 5), (4, 9)), (("B", "C"), (1, 1), (5, 2), (9, 6)))


@pytest.mark.parametrize("case", [IMAGES, FAR_APART, MATRICES])
@pytest.mark.parametrize(
    "key",
    [
        lambda shapes: [math.prod(shape) for shape in shapes],
        lambda shapes: [shape[0] for shape in shapes],
        lambda shapes: [shape[-1] for shape in shapes],
    ],
    ids=["as many elements", "the same first dimension", "the same last dimension"],
)
def test_another_shape_shares_a_coarse_key_with_the_first(case, key):
    first, *others = confusable_shapes(case)
    assert key(first) in [key(each) for each in others]


def test_extents_come_in_another_order():
    first, *others = confusable_shapes(IMAGES)
    assert sorted(first[0]) in [sorted(each[0]) for each in others]


def test_one_of_two_inputs_stays_as_it_is():
    first, *others = confusable_shapes(MATRICES)
    assert first[0] in [each[0] for each in others]
    assert first[1] in [each[1] for each in others]


def test_all_are_legal_different_and_hold_elements():
    found = confusable_shapes(IMAGES)
    assert len(set(found)) == len(found) > 1
    assert all(IMAGES.allows(each) and math.prod(each[0]) for each in found)


def test_a_case_of_one_shape_has_none():
    assert confusable_shapes(case_of(((2, 4), (2, 4), (2, 4), (2, 4)))) == []
