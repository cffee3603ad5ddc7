from __future__ import annotations

import pytest

from reference_runtime.operations.concatenation import Concatenation
from reference_runtime.operations.elementwise import Elementwise
from reference_runtime.operations.gather import Gather
from reference_runtime.operations.shape import Shape
from reference_runtime.operations.shuffle import Shuffle
from reference_runtime.shapes.expression_nodes import Constant, Extent, Size, Value, operation
from reference_runtime.shapes.shape_rules import OperationRule, ShapeRule, bounded, known, propagate, spread
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums_layers import ElementWiseOperation, GatherMode
from reference_runtime.values.refusals import Refused

N, C = Extent(0, 0), Constant(3)
HALF = operation("FLOOR_DIV", N, Constant(2))
FALLING = operation("SUB", Constant(10), N)
RULES = [ShapeRule("first", ["x"], ["y", "z"], [[HALF, C], [FALLING]]), ShapeRule("second", ["y"], ["w"], [[HALF]])]
COUNT = Size(1, operation("FLOOR_DIV", N, Constant(2)), N)
SIZED = ShapeRule("picks", ["x"], ["picked", "count"], [[COUNT, C], []])


def dims_of(facts):
    return {key: found.dims for key, found in facts.items()}


def test_extents_follow_layer_by_layer():
    found = propagate(RULES, {"x": ValueFacts((8, 3))})
    assert dims_of(found) == {"x": (8, 3), "y": (4, 3), "z": (2,), "w": (2,)}


def test_what_rests_on_an_unknown_extent_is_unknown_and_nothing_else():
    found = propagate(RULES, {"x": ValueFacts((-1, 3))})
    assert dims_of(found) == {"x": (-1, 3), "y": (-1, 3), "z": (-1,), "w": (-1,)}


def test_a_bound_holds_behind_what_data_decide_too():
    rules = [SIZED, OperationRule("joins", ["picked", "picked"], ["joined"], Concatenation(0))]
    found = bounded(rules, {"x": ValueFacts((8, 3))})
    assert {key: (facts.dims, facts.bound) for key, facts in found.items()} == {
        "x": ((8, 3), (8, 3)),
        "picked": ((-1, 3), (8, 3)),
        "count": ((), ()),
        "joined": ((-1, 3), (16, 3)),
    }


def test_constants_are_known_and_the_rest_is_not():
    assert known([N, C, FALLING]) == (-1, 3, -1)


def test_bounds_are_in_order_and_the_best_extents_are_those_of_the_best_input():
    ranges = spread(RULES, {"x": ((2, 3), (6, 3), (9, 3))})
    assert ranges["y"] == ((1, 3), (3, 3), (4, 3))
    assert ranges["z"] == ((1,), (4,), (8,))


def test_bounds_may_be_negative_and_the_best_extents_may_not():
    assert spread(RULES, {"x": ((2, 3), (6, 3), (11, 3))})["z"] == ((-1,), (4,), (8,))
    with pytest.raises(Refused, match="would have the shape"):
        spread(RULES, {"x": ((2, 3), (11, 3), (11, 3))})


def test_negative_extents_are_refused_with_what_led_to_them():
    with pytest.raises(Refused, match=r"first: output 1 would have the shape \[-1\] for inputs \[11, 3\]"):
        propagate(RULES, {"x": ValueFacts((11, 3))})
    rule = ShapeRule("layer", ["x"], ["y"], [[N, Constant(-2)]])
    with pytest.raises(Refused, match=r"layer: output 0 would have the shape \[\?, -2\] for inputs \[\?\]"):
        propagate([rule], {"x": ValueFacts((-1,))})


def test_a_shape_without_a_value_is_refused():
    rule = ShapeRule("layer", ["x"], ["y"], [[operation("CEIL_DIV", C, N)]])
    with pytest.raises(Refused, match="the shape of layer: output 0 has no value"):
        propagate([rule], {"x": ValueFacts((0,))})


def test_a_shape_input_gives_its_values():
    rule = ShapeRule("layer", ["x"], ["y"], [[operation("SUM", N, Value(0, 1)), Value(0, 0)]], ["s"])
    assert propagate([rule], {"x": ValueFacts((4,)), "s": ValueFacts((2,), (7, 5))})["y"].dims == (9, 7)
    assert propagate([rule], {"x": ValueFacts((4,)), "s": ValueFacts((2,), (7, None))})["y"].dims == (-1, 7)
    assert propagate([rule], {"x": ValueFacts((4,)), "s": ValueFacts((2,))})["y"].dims == (-1, -1)
    with pytest.raises(Refused, match=r"shape_inputs\[0\]\[1\] is needed"):
        propagate([rule], {"x": ValueFacts((4,)), "s": ValueFacts((1,), (7,))})


def test_values_of_a_profile_decide_its_ranges():
    rule = ShapeRule("layer", ["x"], ["y"], [[Value(0, 0)]], ["s"])
    ranges = {"x": ((1,), (1,), (1,)), "s": ((1,), (1,), (1,))}
    assert spread([rule], ranges, {"s": ((2,), (5,), (9,))})["y"] == ((2,), (5,), (9,))


def test_a_size_that_data_decide_is_unknown_but_bounded():
    found = propagate([SIZED], {"x": ValueFacts((8,))})
    assert found["picked"] == ValueFacts((-1, 3), most=(8, 3))
    assert found["count"] == ValueFacts(())
    assert propagate([SIZED], {"x": ValueFacts((-1,))})["picked"] == ValueFacts((-1, 3), most=(-1, 3))


def test_sizes_that_were_read_settle_the_extents():
    assert SIZED.infer([ValueFacts((8,))], {1: 5})[0].dims == (5, 3)
    assert SIZED.infer([ValueFacts((8,))], {})[0].dims == (-1, 3)


@pytest.mark.parametrize(("sizes", "dims"), [("least", (0, 3)), ("optimum", (4, 3)), ("upper", (8, 3))])
def test_declared_sizes_can_stand_in(sizes, dims):
    later = OperationRule("doubled", ["picked", "picked"], ["sum"], Elementwise(ElementWiseOperation.SUM))
    assert propagate([SIZED, later], {"x": ValueFacts((8,))}, sizes)["sum"].dims == dims


def test_a_profile_counts_with_the_declared_sizes():
    assert spread([SIZED], {"x": ((2,), (8,), (10,))})["picked"] == ((0, 3), (4, 3), (10, 3))


def test_a_declared_size_that_does_not_go_with_a_fixed_extent_is_left_to_the_execution():
    rule = OperationRule("adds", ["picked", "fixed"], ["sum"], Elementwise(ElementWiseOperation.SUM))
    ranges = {"x": ((2,), (8,), (10,)), "fixed": ((3, 3),) * 3}
    found = spread([SIZED, rule], ranges)
    assert (found["picked"], found["sum"]) == (((0, 3), (4, 3), (10, 3)), ((3, 3),) * 3)
    facts = {"x": ValueFacts((8,)), "fixed": ValueFacts((3, 3))}
    assert bounded([SIZED, rule], facts)["sum"] == ValueFacts((3, 3))
    with pytest.raises(Refused, match=r"adds: the operands of SUM"):
        propagate([SIZED, rule], facts, {1: 4})


def test_extents_that_are_unknown_without_declared_sizes_are_refused_with_sizes_that_do_not_fit():
    rule = OperationRule("halves", ["picked"], ["pairs"], Shuffle(reshape_dims=(-1, 2)))
    with pytest.raises(Refused, match="halves"):
        spread([SIZED, rule], {"x": ((2,), (8,), (11,))})


def test_an_operation_says_which_layer_it_cannot_be_applied_in():
    rule = OperationRule("(Unnamed Layer* 3)", ["a", "b"], ["c"], Elementwise(ElementWiseOperation.SUM))
    assert propagate([rule], {"a": ValueFacts((2, 1)), "b": ValueFacts((1, 3))})["c"].dims == (2, 3)
    with pytest.raises(Refused, match=r"\(Unnamed Layer\* 3\): the operands of SUM"):
        propagate([rule], {"a": ValueFacts((2,)), "b": ValueFacts((3,))})


def test_static_extents_survive_a_computation_of_shapes():
    rules = [
        OperationRule("shape", ["x"], ["dims"], Shape()),
        OperationRule("gather", ["dims", "order"], ["picked"], Gather(GatherMode.DEFAULT)),
        OperationRule("concat", ["picked", "twelve"], ["wanted"], Concatenation(0)),
        OperationRule("reshape", ["x", "wanted"], ["y"], Shuffle(operands=(0, 1))),
    ]
    facts = {"x": ValueFacts((-1, 4, 3)), "order": ValueFacts((1,), (0,)), "twelve": ValueFacts((1,), (12,))}
    assert propagate(rules, facts)["y"].dims == (-1, 12)
    assert propagate(rules, {**facts, "x": ValueFacts((5, 4, 3))})["y"].dims == (5, 12)
