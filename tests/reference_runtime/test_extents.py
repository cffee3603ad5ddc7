from __future__ import annotations

import pytest

from reference_runtime.extents import ShapeRule, known, propagate, spread
from reference_runtime.nodes import Constant, Extent, operation
from reference_runtime.refusals import Refused

N, C = Extent(0, 0), Constant(3)
HALF = operation("FLOOR_DIV", N, Constant(2))
FALLING = operation("SUB", Constant(10), N)
RULES = [ShapeRule("first", ["x"], ["y", "z"], [[HALF, C], [FALLING]]), ShapeRule("second", ["y"], ["w"], [[HALF]])]


def test_extents_follow_layer_by_layer():
    assert propagate(RULES, {"x": (8, 3)}) == {"x": (8, 3), "y": (4, 3), "z": (2,), "w": (2,)}


def test_constants_are_known_and_the_rest_is_not():
    assert known([N, C, FALLING]) == (-1, 3, -1)


def test_bounds_are_in_order_and_the_best_extents_are_those_of_the_best_input():
    ranges = spread(RULES, {"x": ((2, 3), (6, 3), (9, 3))})
    assert ranges["y"] == ((1, 3), (3, 3), (4, 3))
    assert ranges["z"] == ((1,), (4,), (8,))


def test_negative_extents_are_refused_with_what_led_to_them():
    with pytest.raises(Refused, match=r"first: output 1 would have the shape \[-1\] for inputs \[11, 3\]"):
        propagate(RULES, {"x": (11, 3)})


def test_a_shape_without_a_value_is_refused():
    rule = ShapeRule("layer", ["x"], ["y"], [[operation("CEIL_DIV", C, N)]])
    with pytest.raises(Refused, match="the shape of layer: output 0 has no value"):
        propagate([rule], {"x": (0,)})
