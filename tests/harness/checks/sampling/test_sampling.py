"""Shapes at the edges of a profile."""

import pytest

from harness.cases.case import Case, Input
from harness.checks.sampling.sampling import (
    best_shapes,
    corner_shapes,
    extreme_shapes,
    inner_shapes,
    is_dynamic,
    narrowed,
    other_shapes,
    sample_shapes,
    with_extent,
)
from harness.contract.finding import NotRun

NAMED = Case(
    plugin="P",
    inputs=(
        Input(dims=("N", 3, "W"), min=(1, 3, 2), opt=(2, 3, 4), max=(4, 3, 8)),
        Input(dims=("W",), min=(2,), opt=(4,), max=(8,)),
    ),
)


SIZED = Case(
    plugin="P",
    inputs=(
        Input(dims=("N",), min=(1,), opt=(2,), max=(4,)),
        Input(shape_input=True, types="int32", dims=(1, 2), min=(-1, 5), opt=(0, 5), max=(2**30, 5)),
    ),
)


def test_values_of_shape_inputs_are_sampled_like_extents():
    assert corner_shapes(SIZED) == [((1,), (-1, 5)), ((2,), (0, 5)), ((4,), (2**30, 5))]
    assert ((1,), (2**30, 5)) in extreme_shapes(SIZED)
    assert all(SIZED.allows(shapes) for shapes in inner_shapes(SIZED, 4))
    assert with_extent(SIZED, ((2,), (0, 5)), 1, 0, 7) == ((2,), (7, 5))
    assert with_extent(SIZED, ((2,), (0, 5)), 1, 1, 7) is None


def test_values_alone_make_a_case_dynamic():
    assert is_dynamic(Case(plugin="P", inputs=(Input(dims=(2,)), SIZED.inputs[1])))


def test_a_narrowed_shape_input_keeps_its_own_dimensions():
    narrow = narrowed(SIZED, ((3,), (6, 5)))
    assert narrow.inputs[1].network_dims == (1, 2)
    assert corner_shapes(narrow) == [((3,), (6, 5))]


def test_extremes_mix_least_and_largest_of_what_may_vary_on_its_own():
    assert set(extreme_shapes(NAMED)) == {
        ((1, 3, 2), (2,)),
        ((1, 3, 8), (8,)),
        ((4, 3, 2), (2,)),
        ((4, 3, 8), (8,)),
    }


def test_extremes_leave_out_what_is_not_legal():
    case = Case(plugin="P", inputs=NAMED.inputs, valid=lambda x, w, *, fields: x[0] < x[2])  # noqa: ARG005
    assert ((4, 3, 2), (2,)) not in extreme_shapes(case)


def test_a_static_case_has_one_extreme():
    case = Case(plugin="P", inputs=(Input(dims=(2, 3)),))
    assert extreme_shapes(case) == [((2, 3),)]


def test_extents_without_names_vary_one_by_one():
    entry = Input(min=(1, 1), max=(2, 2))
    assert len(extreme_shapes(Case(plugin="P", inputs=(entry,)))) == 4


def test_an_extent_changes_with_all_of_its_name():
    best = tuple(entry.opt for entry in NAMED.inputs)
    assert with_extent(NAMED, best, 0, 2, 7) == ((2, 3, 7), (7,))
    assert with_extent(NAMED, best, 0, 0, 3) == ((3, 3, 4), (4,))
    assert with_extent(NAMED, best, 0, 2, 9) is None, "the profile ends at 8"


def test_corners_are_least_best_and_largest_without_repetition():
    assert corner_shapes(NAMED) == [((1, 3, 2), (2,)), ((2, 3, 4), (4,)), ((4, 3, 8), (8,))]
    fixed = Case(plugin="P", inputs=(Input(dims=(2,)),))
    assert corner_shapes(fixed) == [((2,),)]


def test_inner_shapes_are_legal_new_and_the_same_each_time():
    inner = inner_shapes(NAMED, 6)
    assert len(set(inner)) == 6
    assert all(NAMED.allows(shapes) for shapes in inner)
    assert not set(inner) & set(corner_shapes(NAMED))
    assert inner == inner_shapes(NAMED, 6)
    assert inner != inner_shapes(NAMED, 6, seed=1)


def test_the_best_shapes_are_legal_ones():
    assert best_shapes(NAMED) == ((2, 3, 4), (4,))
    odd = Case(plugin="P", inputs=NAMED.inputs, valid=lambda x, w, *, fields: x[0] == 1)  # noqa: ARG005
    assert best_shapes(odd)[0][0] == 1


def test_a_case_without_a_legal_shape_cannot_be_run():
    never = Case(plugin="P", inputs=NAMED.inputs, valid=lambda *_, **__: False)
    with pytest.raises(NotRun, match="no shape of the case's profile is valid"):
        best_shapes(never)


def test_other_shapes_are_not_empty_if_that_can_be():
    case = Case(plugin="P", inputs=(Input(dims=("N",), min=(0,), opt=(2,), max=(2,)),))
    assert other_shapes(case, ((2,),)) == ((1,),)
    assert other_shapes(case, ((0,),)) == ((2,),)


def test_where_there_is_one_shape_there_is_no_other():
    case = Case(plugin="P", inputs=(Input(dims=(2,)),))
    assert other_shapes(case, ((2,),)) == ((2,),)


def test_a_narrowed_case_has_one_shape():
    narrow = narrowed(NAMED, ((1, 3, 2), (2,)))
    assert not is_dynamic(narrow)
    assert [entry.network_dims for entry in narrow.inputs] == [(1, 3, 2), (2,)]


def test_a_shape_between_takes_the_place_of_corners_that_are_not_legal():
    inner = Case(plugin="P", inputs=[Input(min=(1,), opt=(4,), max=(9,))], valid=lambda x, *, fields: x[0] in (2, 3, 5))  # noqa: ARG005
    assert len(corner_shapes(inner)) == 1
    assert corner_shapes(inner)[0] in {((2,),), ((3,),), ((5,),)}


@pytest.mark.parametrize("shapes", [corner_shapes, sample_shapes])
def test_there_are_no_shapes_of_a_case_that_allows_none(shapes):
    never = Case(plugin="P", inputs=NAMED.inputs, valid=lambda *_, **__: False)
    with pytest.raises(NotRun, match="no shape of the case's profile is valid"):
        shapes(never)
