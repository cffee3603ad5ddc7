"""Shapes are points over the dimensions that vary; those that violate are crosses."""

from harness.reports.html.shapes import shapes_tried
from tests.support.html_documents import marks, parsed


def page(held, violating=(), left_out=0):
    return shapes_tried({"held": held, "violating": list(violating), "left_out": left_out})


def test_points_are_combinations_of_the_two_extents_that_vary_most():
    held = [[[1, 3, width]] for width in (1, 2, 4)] + [[[2, 3, 4]], [[2, 3, 4]]]
    assert marks(page(held), "tried") == [
        "input 0, dimension 2 = 1, input 0, dimension 0 = 1: 1 shape",
        "input 0, dimension 2 = 2, input 0, dimension 0 = 1: 1 shape",
        "input 0, dimension 2 = 4, input 0, dimension 0 = 1: 1 shape",
        "input 0, dimension 2 = 4, input 0, dimension 0 = 2: 2 shapes",
    ]


def test_a_shape_that_violates_is_a_cross():
    found = page([[[1]], [[2]]], [[[7]]])
    assert marks(found, "cross") == ["input 0, dimension 0 = 7: 1 shape with a violation"]
    assert "3 input shapes, 1 with a violation" in found
    assert '<th scope="row">7</th><td>violation</td>' in found


def test_the_legend_has_a_cross_only_where_there_is_one():
    assert "showed a violation" not in page([[[1]], [[2]]])
    assert "showed a violation" in page([[[1]], [[2]]], [[[7]]])


def test_extents_that_are_always_equal_are_one_axis():
    assert "input 0, dimension 0 (and 1 equal)" in page([[[1], [1]], [[5], [5]]])


def test_one_shape_is_told_and_not_drawn():
    found = page([[[2, 3]]])
    assert "1 input shape, 0 with a violation. No dimension varies, so the picture is left out" in found
    assert "<figure" not in found
    assert "2\N{MULTIPLICATION SIGN}3" in found


def test_extents_of_zero_and_large_ones_have_a_place():
    tree = parsed(page([[[0]], [[10**9]]]))
    points = [float(each.get("cx")) for each in tree.iter("circle") if each.find("title") is not None]
    assert points == sorted(points)
    assert all(0 < each < 400 for each in points)


def test_what_is_left_out_is_said():
    assert "Not drawn: 12 shapes or more." in page([[[1]], [[2]]], left_out=12)


def test_more_extents_than_panels_are_in_the_table():
    held = [[[number % (place + 2) + 1 for place in range(8)]] for number in range(20)]
    found = page(held)
    assert "The table has" in found
