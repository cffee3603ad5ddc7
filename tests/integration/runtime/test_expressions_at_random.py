"""Random expressions, as a plugin builds them, mean what the integers say: each operation, sentinel and limit."""

from hypothesis import given
from hypothesis import strategies as st

import reference_runtime as trt
from reference_runtime.bound.errors import ExpressionError
from reference_runtime.shapes import expressions
from tests.support.runtime.arithmetic import HIGH, LOW, MEANING, STEADY

NUMBERS = st.integers(-9, 9) | st.integers(LOW, HIGH)
NAMES = ("x0", "x1", "v0", "v1", "size")
LEAVES = NUMBERS | st.sampled_from(NAMES)
TREES = st.recursive(LEAVES, lambda inner: st.tuples(st.sampled_from(sorted(MEANING)), inner, inner), max_leaves=8)
EXTENTS, VALUES = st.tuples(*[st.integers(0, 2**31 - 1)] * 2), st.tuples(NUMBERS, NUMBERS)


def built(tree, builder, leaves):
    """Build a tree as a plugin does: a number, the name of an expression, or an operation on two trees."""
    if isinstance(tree, int):
        return builder.constant(tree)
    if isinstance(tree, str):
        return leaves[tree]
    kind, first, second = tree
    return builder.operation(
        getattr(trt.DimensionOperation, kind), built(first, builder, leaves), built(second, builder, leaves)
    )


def meant(tree, values):
    """Return what a tree comes to; ArithmeticError where it divides by zero, or leaves 64 bits on the way."""
    if not isinstance(tree, tuple):
        return values.get(tree, tree)
    kind, *operands = tree
    result = MEANING[kind](*[meant(operand, values) for operand in operands])
    if not LOW <= result <= HIGH:
        raise OverflowError
    return result


def number_of(work, *arguments):
    """Return what a function returns, or None where there is no such number."""
    try:
        return work(*arguments)
    except (ArithmeticError, ExpressionError):
        return None


def leaves_of(builder, x, v):
    extents, elements = expressions.input_dims(builder, 0, x), expressions.value_dims(builder, 0, v)
    size = builder.declare_size_tensor(1, extents[0], extents[1])
    return {"x0": extents[0], "x1": extents[1], "v0": elements[0], "v1": elements[1], "size": size}


def names_in(tree):
    return names_in(tree[1]) | names_in(tree[2]) if isinstance(tree, tuple) else {tree} & {*NAMES}


@STEADY
@given(TREES, EXTENTS, VALUES, NUMBERS)
def test_an_expression_is_what_the_integers_say(tree, x, v, size):
    builder = expressions.new_builder(sizes=True)
    expression = built(tree, builder, leaves_of(builder, (-1, -1), (None, None)))
    for sizes, value in (({1: size}, size), ("optimum", x[0]), ("upper", x[1])):
        wanted = number_of(meant, tree, dict(zip(NAMES, (*x, *v, value), strict=True)))
        assert number_of(expressions.evaluate, expression, [x], [v], sizes) == wanted
    assert trt.DimsExprs([expression])[0] is expression
    assert builder.misuses == []


@STEADY
@given(TREES, EXTENTS, VALUES)
def test_constants_are_folded_and_symbols_read_as_the_least_integer(tree, x, v):
    builder = expressions.new_builder(sizes=True)
    symbolic = built(tree, builder, leaves_of(builder, (-1, -1), (None, None)))
    known = built(tree, builder, leaves_of(builder, x, v))
    assert not (symbolic.is_constant() and names_in(tree))
    assert known.is_size_tensor() == symbolic.is_size_tensor() == (tree == "size")
    if not symbolic.is_constant():
        assert symbolic.get_constant_value() == LOW
    is_sized = "size" in names_in(tree)
    wanted = None if is_sized else number_of(meant, tree, dict(zip(NAMES, (*x, *v), strict=False)))
    assert known.is_constant() == (wanted is not None)
    assert known.get_constant_value() == (LOW if wanted is None else wanted)
