"""Shapes in messages and docstrings are read as their author means them."""

import pytest

from harness.child.discovery.shape_notation import layouts_in


@pytest.mark.parametrize(
    ("text", "dims"),
    [
        ("boxes [B, N, 4], scores [B, N]", (("B", "N", 4), ("B", "N"))),
        ("a (M, K) and b (K, N) -> (M, N)", (("M", "K"), ("K", "N"))),
        ("x [N,C,*], gamma [C]", (("N", "C", "d4", "d5"), ("C",))),
        ("takes x [N] and y [M], returns [N, M]", (("N",), ("M",))),
        ("wants [N, C] and [C], not [(2, 3), (4,)]", (("N", "C"), ("C",))),
    ],
)
def test_shapes_of_all_inputs_come_first(text, dims):
    assert next(layouts_in(text)).dims == dims


def test_a_star_stands_for_two_dimensions_or_one_or_none():
    assert [each.ranks for each in layouts_in("[N, *] and [N]")] == [(3, 1), (2, 1), (1, 1)]


def test_fewer_inputs_are_tried_where_the_last_shapes_may_be_outputs():
    assert [len(each.dims) for each in layouts_in("[N], [N, 2], [N, 3]")] == [3, 2]


@pytest.mark.parametrize(
    "text", ["", "x [N, C]", "dims[axis] of len(shape)", "(1, 2) and (3, 4)", "[a, b, c, d, e, f, g] and [a]"]
)
def test_no_shapes_or_one_are_no_layout(text):
    assert not list(layouts_in(text))
