import json
import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_runtime import nodes
from reference_runtime.errors import ExpressionError
from reference_runtime.nodes import Constant, Extent, Operation

# What each operation means, in exact arithmetic and in words of its own.
MEANING = {
    "SUM": lambda a, b: a + b,
    "PROD": lambda a, b: a * b,
    "MAX": lambda a, b: (a + b + abs(a - b)) // 2,
    "MIN": lambda a, b: (a + b - abs(a - b)) // 2,
    "SUB": lambda a, b: a - b,
    "EQUAL": lambda a, b: 1 if a == b else 0,
    "LESS": lambda a, b: 1 if a < b else 0,
    "FLOOR_DIV": lambda a, b: math.floor(Fraction(a, b)),
    "CEIL_DIV": lambda a, b: math.ceil(Fraction(a, b)),
}
LOW, HIGH = -(2**63), 2**63 - 1
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

    return nodes.operation(kind, first, second), value


SHAPES = st.tuples(*[st.tuples(VALUES, VALUES, VALUES)] * 2)


@given(st.sampled_from(sorted(MEANING)), VALUES, VALUES)
def test_each_operation_is_that_of_the_integers(kind, first, second):
    assume(second != 0 or not kind.endswith("DIV"))
    expected = MEANING[kind](first, second)
    assume(LOW <= expected <= HIGH)
    symbolic = nodes.operation(kind, Extent(0, 0), Extent(0, 1))
    assert nodes.evaluate(symbolic, [(first, second)]) == expected
    assert nodes.operation(kind, Constant(first), Constant(second)) == Constant(expected)


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
    assert nodes.compute(kind, first, second) == expected


@given(trees(), SHAPES)
def test_an_expression_evaluates_as_it_was_built(tree, shapes):
    node, expected = tree
    try:
        value = expected(shapes)
    except (ZeroDivisionError, OverflowError):
        with pytest.raises(ExpressionError):
            nodes.evaluate(node, shapes)
    else:
        assert nodes.evaluate(node, shapes) == value


@given(trees(), SHAPES)
def test_the_plain_form_survives_json_and_means_the_same(tree, shapes):
    node, _value = tree
    restored = nodes.from_plain(json.loads(json.dumps(nodes.to_plain(node))))
    assert nodes.to_plain(restored) == nodes.to_plain(node)
    assert outcome(restored, shapes) == outcome(node, shapes)


def outcome(node, shapes):
    try:
        return nodes.evaluate(node, shapes)
    except ExpressionError as error:
        return str(error)


def test_a_constant_division_by_zero_is_kept_for_the_evaluation_to_find():
    node = nodes.operation("FLOOR_DIV", Constant(1), Constant(0))
    assert isinstance(node, Operation)
    with pytest.raises(ExpressionError, match="divides by zero"):
        nodes.evaluate(node, [])


def test_a_value_beyond_64_bits_is_an_error():
    with pytest.raises(ExpressionError, match="does not fit 64 bits"):
        nodes.evaluate(nodes.operation("SUM", Extent(0, 0), Constant(1)), [(HIGH,)])


def test_an_extent_that_is_not_given_is_an_error():
    with pytest.raises(ExpressionError, match=r"inputs\[1\]\[0\] is needed"):
        nodes.evaluate(Extent(1, 0), [(1,)])


def test_deep_and_widely_shared_expressions_are_walked_once():
    deep = shared = Extent(0, 0)
    for _ in range(20_000):
        deep = nodes.operation("SUM", deep, Constant(1))
    for _ in range(62):
        shared = nodes.operation("SUM", shared, shared)
    assert nodes.evaluate(deep, [(1,)]) == 20_001
    assert nodes.evaluate(shared, [(1,)]) == 2**62
    assert len(nodes.to_plain(shared)) == 63
    assert nodes.describe(deep) == "SUM(...)"


def test_an_expression_is_described_as_it_is_written():
    node = nodes.operation("CEIL_DIV", Extent(0, 1), nodes.operation("SUB", Constant(2), Extent(1, 0)))
    assert nodes.describe(node) == "CEIL_DIV(inputs[0][1], SUB(2, inputs[1][0]))"


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
        [None],
    ],
)
def test_damaged_data_is_one_kind_of_error(data):
    with pytest.raises(ExpressionError):
        nodes.from_plain(data)
