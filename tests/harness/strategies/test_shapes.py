"""Drawn shapes lie in the profile, reach its edges, and are small where a plugin shall run."""

import math

import pytest

from harness.cases.case import Case, Input
from harness.cases.facts import Extent, Facts
from harness.contract.finding import NotApplicable
from harness.strategies import hypothesis_settings
from harness.strategies.shapes import RUNNABLE, any_shapes, crowds, likely, runnable_shapes, sequences

IMAGES = Input(dims=("N", 3, "H", "W"), min=(1, 3, 4, 4), opt=(4, 3, 224, 224), max=(64, 3, 2048, 2048))
ROWS = Input(dims=("N", "W"), min=(0, 1), opt=(2, 5), max=(4, 9))
FACTS = Facts((IMAGES, ROWS))
CASE = Case("Bar", inputs=(Input(dims=("N", 3), min=(1, 3), max=(4, 3)), Input(dims=("N",), min=(1,), max=(4,))))


def drawn(strategy, number=200, seed=1):
    return hypothesis_settings.drawn(strategy, number, seeded=seed)


def test_shapes_lie_in_the_profile_and_reach_far_into_it():
    shapes = [tuple(example["shapes"][0]) for example in drawn(any_shapes(Facts((IMAGES,))), 300)]
    for axis, (low, high) in enumerate(zip(IMAGES.min, IMAGES.max, strict=True)):
        extents = {shape[axis] for shape in shapes}
        assert low == min(extents)
        assert 0.9 * high < max(extents) <= high


def test_equal_names_are_drawn_once():
    for example in drawn(any_shapes(Facts.of(CASE))):
        assert CASE.allows([tuple(shape) for shape in example["shapes"]])


def test_small_profiles_are_drawn_to_the_end():
    assert len({str(example) for example in drawn(any_shapes(Facts((ROWS,))), 500)}) == 45


@pytest.mark.parametrize("number", [2, 7, 1021, 2047, 223, 1024])
def test_a_long_range_has_what_is_likely_to_go_wrong(number):
    assert number in likely(Extent("W", 1, 224, 2048))


def test_what_is_likely_lies_in_the_range():
    assert set(likely(Extent("W", 5, 6, 9))) <= set(range(5, 10))


def test_runnable_shapes_are_small():
    volumes = [math.prod(example["shapes"][0]) for example in drawn(runnable_shapes(Facts((IMAGES,))))]
    assert max(volumes) <= RUNNABLE
    assert len(set(volumes)) > 50


def test_what_cannot_be_small_is_drawn_at_its_least():
    huge = Input(min=(1, 1000, 1000), max=(4, 1000, 1000))
    assert [example["shapes"] for example in drawn(runnable_shapes(Facts((huge,))))] != []
    assert {example["shapes"][0][0] for example in drawn(runnable_shapes(Facts((huge,))))} == {1}


def test_a_sequence_comes_back_to_its_first_shapes():
    for example in drawn(sequences(Facts((ROWS,))), 50):
        first, *_, last = example["sequence"]
        assert first == last
        assert 3 <= len(example["sequence"]) <= 4


def test_threads_have_no_extent_some_or_all_in_common():
    common, near = set(), 0
    for example in drawn(crowds(Facts((IMAGES,)))):
        (first,), (second,), *_ = example["threads"]
        common.add(tuple(one == other for one, other in zip(first, second, strict=True)))
        near += 0 < abs(first[2] - second[2]) <= 2
    assert {(False, True, False, False), (True, True, False, False), (True,) * 4, (False, True, False, True)} <= common
    assert near > 5


def test_threads_take_turns_of_different_kinds():
    found = drawn(crowds(Facts((ROWS,))))
    assert {len(example["threads"]) for example in found} == {2, 3}
    assert all(example["turns"] >= 1 and min(example["steps"]) >= 1 for example in found)
    assert {1, 256} <= {example["turns"] for example in found}
    assert len({str(example["steps"]) for example in found}) > 20


def test_shapes_of_threads_lie_in_the_profile():
    for example in drawn(crowds(Facts((ROWS,)))):
        for shape in (thread[0] for thread in example["threads"]):
            assert all(low <= n <= high for low, n, high in zip(ROWS.min, shape, ROWS.max, strict=True))


def test_threads_run_where_a_case_has_one_shape_too():
    examples = drawn(crowds(Facts((Input(dims=(2, 4)),))), 20)
    assert {str(shapes) for example in examples for shapes in example["threads"]} == {"[[2, 4]]"}


@pytest.mark.parametrize("strategy", [any_shapes, runnable_shapes, sequences])
def test_a_case_of_one_shape_has_nothing_to_draw(strategy):
    with pytest.raises(NotApplicable, match="one shape"):
        strategy(Facts((Input(dims=(2, 4)),)))
