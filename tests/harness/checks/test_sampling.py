"""Shapes at the edges of a profile."""

from harness.case import Case, Input
from harness.checks.sampling import extreme_shapes, with_extent

NAMED = Case(
    plugin="P",
    inputs=(
        Input(dims=("N", 3, "W"), min=(1, 3, 2), opt=(2, 3, 4), max=(4, 3, 8)),
        Input(dims=("W",), min=(2,), opt=(4,), max=(8,)),
    ),
)


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
