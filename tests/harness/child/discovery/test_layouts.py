"""Failed conditions, as C++ writes them, change the layout of inputs."""

import pytest

from harness.child.discovery.layouts import Layout

TWO = Layout.ranked(4, 4)


def first(refusal, layout=TWO):
    return next(layout.nearby(refusal))


@pytest.mark.parametrize("condition", ["nbInputs == 3", "3 == num_inputs", "nInputs >= 3"])
def test_a_number_of_inputs(condition):
    assert first(f"Assertion failed: {condition} plugin.cpp:12").ranks == (4, 4, 4)


@pytest.mark.parametrize(
    ("condition", "ranks"),
    [
        ("in[1].desc.dims.nbDims == 2", (4, 2)),
        ("inputDims1.nbDims == 2", (4, 2)),
        ("dims.nbDims == 2", (2, 4)),
        ("inputs[0].nbDims == inputs[1].nbDims", (4, 4)),
        ("Second input must have 3 dimensions", (4, 3)),
    ],
)
def test_a_rank(condition, ranks):
    assert first(condition).ranks == ranks


def test_a_rank_of_an_unknown_input_is_tried_for_each_and_for_all():
    assert [each.ranks for each in TWO.nearby("rois.nbDims == 2")] == [(2, 4), (4, 2), (2, 2)]


def test_an_extent_is_fixed():
    _, second = first("in[1].dims.d[3] == 1").inputs(["float32", "float32"])
    assert second.dims == ("d0", "d1", "d2", 1)
    assert second.profile == ((1, 1, 1, 1), (2, 3, 8, 1), (4, 5, 9, 1))


def test_an_extent_of_an_unknown_input_is_fixed_in_all():
    assert [each.dims[3] for each in first("dims.d[3] == 1").inputs(["float32", "float32"])] == [1, 1]


def test_extents_that_must_be_equal_have_one_name():
    layout = first("in[0].dims.d[3] == in[1].dims.d[0]", Layout.ranked(4, 1))
    images, counts = layout.inputs(["float32", "int32"])
    assert counts.dims == (images.dims[3],)
    assert counts.profile == ((1,), (8,), (16,))


def test_conditions_add_up():
    layout = first("in[0].d[1] == in[1].d[0]", first("in[1].d[0] == 4", first("in[1].nbDims == 1")))
    assert [each.dims for each in layout.inputs(["float32"] * 2)] == [("d0", 4, "d2", "d3"), (4,)]


def test_outputs_tell_nothing_of_inputs():
    assert list(TWO.nearby("out[0].nbDims == 2")) == list(TWO.nearby("2"))


def test_without_a_condition_numbers_ranks_and_extents_are_tried_those_of_the_refusal_first():
    layouts = list(TWO.nearby("it takes 7 of them"))
    assert len(layouts[0].ranks) == 7
    assert {len(each.ranks) for each in layouts} == {1, 2, 3, 4, 5, 6, 7}
    assert any(each.is_even for each in layouts)
    assert {each.dims[1][3] for each in layouts if each.ranks == (4, 4)} == {"d3", 7, 4, 1, 2}
