import json
import weakref

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_runtime.bound.errors import ExpressionError
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.expression_nodes import Constant, Extent, Operation, Size, Value
from tests.support.runtime.arithmetic import HIGH, LOW, MEANING, STEADY

VALUES = st.integers(-20, 20) | st.integers(LOW, HIGH)


@st.composite
def trees(draw, depth=4):
    """Draw (node, function of the shapes that gives the same value or raises ZeroDivisionError or OverflowError)."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        if draw(st.booleans()):
            value = draw(VALUES)
            return Constant(value), lambda _shapes: value
        tensor, axis = draw(st.integers(0, 1)), draw(st.integers(0, 2))
        return Extent(tensor, axis), lambda shapes: shapes[tensor][axis]
    kind = draw(st.sampled_from(sorted(MEANING)))
    (first, first_value), (second, second_value) = draw(trees(depth - 1)), draw(trees(depth - 1))

    def value(shapes):
        result = MEANING[kind](first_value(shapes), second_value(shapes))
        if not LOW <= result <= HIGH:
            raise OverflowError
        return result

    return expression_nodes.operation(kind, first, second), value


SHAPES = st.tuples(*[st.tuples(VALUES, VALUES, VALUES)] * 2)


@STEADY
@given(st.sampled_from(sorted(MEANING)), VALUES, VALUES)
def test_each_operation_is_that_of_the_integers(kind, first, second):
    assume(second != 0 or not kind.endswith("DIV"))
    expected = MEANING[kind](first, second)
    assume(LOW <= expected <= HIGH)
    symbolic = expression_nodes.operation(kind, Extent(0, 0), Extent(0, 1))
    assert expression_nodes.evaluate(symbolic, [(first, second)]) == expected
    assert expression_nodes.operation(kind, Constant(first), Constant(second)) == Constant(expected)


@pytest.mark.parametrize(
    ("kind", "first", "second", "expected"),
    [
        ("FLOOR_DIV", -7, 2, -4),
        ("FLOOR_DIV", 7, -2, -4),
        ("FLOOR_DIV", -7, -2, 3),
        ("CEIL_DIV", -7, 2, -3),
        ("CEIL_DIV", 7, -2, -3),
        ("CEIL_DIV", 7, 2, 4),
        ("CEIL_DIV", -7, -2, 4),
        ("LESS", -1, 0, 1),
        ("EQUAL", -1, -1, 1),
    ],
)
def test_division_of_negative_numbers_does_not_truncate(kind, first, second, expected):
    assert expression_nodes.compute(kind, first, second) == expected


@STEADY
@given(trees(), SHAPES)
def test_an_expression_evaluates_as_it_was_built(tree, shapes):
    node, expected = tree
    try:
        value = expected(shapes)
    except (ZeroDivisionError, OverflowError):
        with pytest.raises(ExpressionError):
            expression_nodes.evaluate(node, shapes)
    else:
        assert expression_nodes.evaluate(node, shapes) == value


@STEADY
@given(trees(), SHAPES)
def test_the_plain_form_survives_json_and_means_the_same(tree, shapes):
    node, _value = tree
    restored = expression_nodes.from_plain(json.loads(json.dumps(expression_nodes.to_plain(node))))
    assert expression_nodes.to_plain(restored) == expression_nodes.to_plain(node)
    assert outcome(restored, shapes) == outcome(node, shapes)


def outcome(node, shapes):
    try:
        return expression_nodes.evaluate(node, shapes)
    except ExpressionError as error:
        return str(error)


def test_a_constant_division_by_zero_is_kept_for_the_evaluation_to_find():
    node = expression_nodes.operation("FLOOR_DIV", Constant(1), Constant(0))
    assert isinstance(node, Operation)
    with pytest.raises(ExpressionError, match="divides by zero"):
        expression_nodes.evaluate(node, [])


def test_a_value_beyond_64_bits_is_an_error():
    with pytest.raises(ExpressionError, match="does not fit 64 bits"):
        expression_nodes.evaluate(expression_nodes.operation("SUM", Extent(0, 0), Constant(1)), [(HIGH,)])


def test_an_extent_that_is_not_given_is_an_error():
    with pytest.raises(ExpressionError, match=r"inputs\[1\]\[0\] is needed"):
        expression_nodes.evaluate(Extent(1, 0), [(1,)])


def test_deep_and_widely_shared_expressions_are_walked_once():
    deep = shared = Extent(0, 0)
    for _ in range(20_000):
        deep = expression_nodes.operation("SUM", deep, Constant(1))
    for _ in range(62):
        shared = expression_nodes.operation("SUM", shared, shared)
    assert expression_nodes.evaluate(deep, [(1,)]) == 20_001
    assert expression_nodes.evaluate(shared, [(1,)]) == 2**62
    assert len(expression_nodes.to_plain(shared)) == 63
    assert expression_nodes.describe(deep) == "SUM(...)"


def test_what_an_expression_is_made_of_does_not_keep_it_alive():
    root = Operation("SUM", Extent(0, 0), Operation("PROD", Extent(0, 1), Constant(2)))
    assert expression_nodes.in_order(root) == [Extent(0, 0), Extent(0, 1), Constant(2), root.second, root]
    assert [expression_nodes.evaluate(root, ((3, 4),)) for _ in range(2)] == [11, 11]
    gone = weakref.ref(root)
    del root
    assert gone() is None


def test_an_expression_is_described_as_it_is_written():
    node = expression_nodes.operation(
        "CEIL_DIV", Extent(0, 1), expression_nodes.operation("SUB", Constant(2), Extent(1, 0))
    )
    assert expression_nodes.describe(node) == "CEIL_DIV(inputs[0][1], SUB(2, inputs[1][0]))"


def double(node):
    return expression_nodes.operation("PROD", Constant(2), node)


def test_an_element_of_a_shape_input_is_taken_from_the_values():
    node = expression_nodes.operation("SUM", Value(1, 0), Extent(0, 0))
    assert expression_nodes.evaluate(node, [(3,)], [(9,), (4,)]) == 7
    for values in ([(9,)], [(9,), ()], [(9,), (None,)]):
        with pytest.raises(ExpressionError, match=r"shape_inputs\[1\]\[0\] is needed and was not given"):
            expression_nodes.evaluate(node, [(3,)], values)


def test_an_extent_that_is_not_known_is_needed():
    with pytest.raises(ExpressionError, match=r"inputs\[0\]\[1\] is needed"):
        expression_nodes.evaluate(double(Extent(0, 1)), [(3, None)])


@pytest.mark.parametrize(("sizes", "expected"), [({2: 5}, 10), ("optimum", 6), ("upper", 24)])
def test_a_size_is_what_was_read_or_one_of_its_bounds(sizes, expected):
    node = double(Size(2, Extent(0, 0), expression_nodes.operation("PROD", Extent(0, 0), Constant(4))))
    assert expression_nodes.evaluate(node, [(3,)], sizes=sizes) == expected


@pytest.mark.parametrize("sizes", [None, {}, {1: 5}])
def test_a_size_that_is_not_known_is_needed(sizes):
    with pytest.raises(ExpressionError, match="the value of output 2 is needed"):
        expression_nodes.evaluate(double(Size(2, Constant(1), Constant(2))), [], sizes=sizes)


def test_a_bound_that_is_not_asked_for_need_not_have_a_value():
    node = Size(0, expression_nodes.operation("FLOOR_DIV", Constant(1), Constant(0)), Extent(0, 0))
    assert expression_nodes.evaluate(node, [], sizes={0: 3}) == 3
    assert expression_nodes.evaluate(node, [(8,)], sizes="upper") == 8
    with pytest.raises(ExpressionError, match="divides by zero"):
        expression_nodes.evaluate(node, [(8,)], sizes="optimum")


def test_a_bound_may_depend_on_another_size():
    node = Size(0, Constant(1), double(Size(1, Constant(3), Constant(5))))
    assert expression_nodes.evaluate(node, [], sizes="upper") == 10


def test_the_outputs_that_size_an_expression_are_found_at_any_depth():
    node = expression_nodes.operation(
        "SUM", double(Size(1, Constant(1), Extent(0, 0))), Size(3, Value(0, 0), Constant(2))
    )
    assert expression_nodes.outputs_sized_by(node) == {1, 3}
    assert expression_nodes.outputs_sized_by(Extent(0, 0)) == set()


def test_values_and_sizes_survive_a_plan_and_are_described():
    node = expression_nodes.operation("MAX", Value(0, 2), Size(1, Extent(0, 0), Constant(9)))
    plain = json.loads(json.dumps(expression_nodes.to_plain(node)))
    assert plain == [["VALUE", 0, 2], ["INPUT", 0, 0], 9, ["SIZE", 1, 1, 2], ["MAX", 0, 3]]
    restored = expression_nodes.from_plain(plain)
    for sizes in ({1: 4}, "optimum", "upper"):
        assert expression_nodes.evaluate(restored, [(7,)], [(0, 0, 5)], sizes) == expression_nodes.evaluate(
            node, [(7,)], [(0, 0, 5)], sizes
        )
    assert expression_nodes.describe(node) == "MAX(shape_inputs[0][2], the value of output 1)"


@pytest.mark.parametrize(
    "data",
    [
        None,
        "1",
        1.5,
        True,
        [],
        {},
        2**63,
        [["INPUT", 0]],
        [["INPUT", 0, -1]],
        [["INPUT", 0, "1"]],
        [1, ["SUM", 0, 1]],
        [1, ["POW", 0, 0]],
        [1, ["SUM", 0, 0, 0]],
        [[1, 2, 3]],
        [["VALUE", -1, 0]],
        [1, ["SIZE", 0, 0, 1]],
        [1, ["SIZE", -1, 0, 0]],
        [1, ["SIZE", 0, 0]],
        [1, ["SUM", 0, 0, 0, 0]],
        [None],
    ],
)
def test_damaged_data_is_one_kind_of_error(data):
    with pytest.raises(ExpressionError):
        expression_nodes.from_plain(data)
