import json

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import ExpressionError, NativeCrash
from reference_runtime.bound.undefined_use import MisuseKind
from reference_runtime.shapes import expression_nodes, expressions

Operation = trt.DimensionOperation


@pytest.fixture
def builder():
    return expressions.new_builder()


def kinds(builder):
    return [one.kind for one in builder.misuses]


def test_python_sees_the_names_of_tensorrt(builder):
    assert type(builder).__name__ == "IExprBuilder"
    assert isinstance(builder, trt.IExprBuilder)
    assert type(builder.constant(1)) is trt.IDimensionExpr


def test_inputs_are_symbols_where_an_extent_is_unknown_and_constants_elsewhere(builder):
    shape = expressions.input_dims(builder, 1, (-1, 3, 0))
    assert [extent.is_constant() for extent in shape] == [False, True, True]
    assert expressions.evaluate(shape[0], [(), (7,)]) == 7
    assert shape[1].get_constant_value() == 3
    assert expressions.describe(shape[0]) == "inputs[1][0]"


@pytest.mark.parametrize("name", sorted(Operation.__members__))
def test_every_operation_is_built_and_folded(builder, name):
    kind = getattr(Operation, name)
    expected = {
        "SUM": 5,
        "PROD": -14,
        "MAX": 7,
        "MIN": -2,
        "SUB": 9,
        "EQUAL": 0,
        "LESS": 0,
        "FLOOR_DIV": -4,
        "CEIL_DIV": -3,
    }
    folded = builder.operation(kind, builder.constant(7), builder.constant(-2))
    assert folded.get_constant_value() == expected[name]
    symbol = expressions.input_dims(builder, 0, (-1,))[0]
    symbolic = builder.operation(kind, symbol, builder.constant(-2))
    assert not symbolic.is_constant()
    assert expressions.evaluate(symbolic, [(7,)]) == expected[name]


def test_a_value_that_is_not_constant_reads_as_the_64_bit_minimum_and_is_noted(builder):
    symbol = expressions.input_dims(builder, 0, (-1,))[0]
    assert symbol.get_constant_value() == -(2**63)
    assert kinds(builder) == [MisuseKind.NON_CONSTANT_VALUE]
    assert builder.misuses[0].where.startswith(f"{__file__}:")


def test_an_unknown_operation_gives_none_and_is_noted(builder):
    one = builder.constant(1)
    assert builder.operation(Operation(42), one, one) is None
    assert kinds(builder) == [MisuseKind.INVALID_OPERATION]


def test_nothing_is_noted_of_proper_use(builder):
    shape = expressions.input_dims(builder, 0, (-1, 4))
    total = builder.operation(Operation.PROD, shape[0], shape[1])
    assert not total.is_constant()
    assert not total.is_size_tensor()
    builder.close()
    assert builder.misuses == []


def test_what_was_kept_from_an_earlier_call_still_answers_and_is_noted(builder):
    kept = builder.constant(5)
    builder.close()
    assert kept.get_constant_value() == 5
    assert builder.constant(1).get_constant_value() == 1
    assert set(kinds(builder)) == {MisuseKind.CLOSED_EXPRESSION, MisuseKind.CLOSED_BUILDER}
    assert not expressions.generation_of(kept).alive


def test_an_expression_of_an_earlier_call_is_noted_where_it_is_used(builder):
    kept = builder.constant(5)
    builder.close()
    later = expressions.new_builder()
    total = later.operation(Operation.SUM, kept, later.constant(1))
    assert total.get_constant_value() == 6
    assert kinds(later) == [MisuseKind.FOREIGN_EXPRESSION]
    assert kinds(builder) == [MisuseKind.CLOSED_EXPRESSION]
    assert expressions.generation_of(total) is later.generation


def test_a_builder_made_in_python_is_where_the_original_crashes():
    with pytest.raises(NativeCrash, match=r"constant\(\) was called on an IExprBuilder made in Python"):
        trt.IExprBuilder().constant(3)


def test_a_size_tensor_cannot_be_declared_by_a_plugin_of_version_2(builder):
    one = builder.constant(1)
    with pytest.raises(RuntimeError, match="use an IPluginV3"):
        builder.declare_size_tensor(0, one, one)
    assert kinds(builder) == [MisuseKind.SIZE_TENSOR]


@pytest.fixture
def sizing():
    return expressions.new_builder(sizes=True)


def test_a_size_tensor_is_declared_by_a_plugin_of_version_3(sizing):
    extent = expressions.input_dims(sizing, 0, (-1,))[0]
    size = sizing.declare_size_tensor(1, sizing.operation(Operation.FLOOR_DIV, extent, sizing.constant(2)), extent)
    doubled = sizing.operation(Operation.PROD, size, sizing.constant(2))
    assert [one.is_size_tensor() for one in (size, doubled, extent)] == [True, False, False]
    assert not size.is_constant()
    assert expressions.evaluate(doubled, [(9,)], sizes={1: 5}) == 10
    assert [expressions.evaluate(doubled, [(9,)], sizes=bound) for bound in ("optimum", "upper")] == [8, 18]
    assert kinds(sizing) == []


def test_an_optimum_that_depends_on_a_size_tensor_is_noted_and_an_upper_bound_is_not(sizing):
    one = sizing.constant(1)
    size = sizing.declare_size_tensor(1, one, one)
    sizing.declare_size_tensor(2, one, size)
    assert kinds(sizing) == []
    sizing.declare_size_tensor(2, sizing.operation(Operation.SUM, size, one), one)
    assert kinds(sizing) == [MisuseKind.SIZE_TENSOR]


def test_elements_of_a_shape_input_are_symbols_where_they_are_unknown_and_constants_elsewhere(sizing):
    elements = expressions.value_dims(sizing, 1, (None, 3, -2))
    assert [element.is_constant() for element in elements] == [False, True, True]
    assert elements[2].get_constant_value() == -2
    assert expressions.describe(elements[0]) == "shape_inputs[1][0]"
    assert expressions.evaluate(elements[0], [], [(), (6, 3, -2)]) == 6


def test_a_shape_holds_expressions_by_reference(builder):
    shape = trt.DimsExprs(2)
    one = builder.constant(1)
    shape[-1] = one
    assert shape[1] is one
    copied = trt.DimsExprs(shape)
    copied[0] = one
    assert list(shape) == [None, one]


def test_a_plan_holds_expressions_as_json(builder):
    symbol = expressions.input_dims(builder, 0, (-1,))[0]
    half = builder.operation(Operation.FLOOR_DIV, symbol, builder.constant(2))
    data = json.loads(json.dumps(expressions.to_plain(half)))
    assert data == [["INPUT", 0, 0], 2, ["FLOOR_DIV", 0, 1]]
    assert expressions.to_plain(builder.constant(4)) == 4
    assert expression_nodes.evaluate(expression_nodes.from_plain(data), [(9,)]) == 4


def test_a_zero_divisor_is_an_expression_error(builder):
    symbol = expressions.input_dims(builder, 0, (-1,))[0]
    quotient = builder.operation(Operation.CEIL_DIV, builder.constant(4), symbol)
    with pytest.raises(ExpressionError, match="divides by zero"):
        expressions.evaluate(quotient, [(0,)])
