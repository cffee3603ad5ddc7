"""The shapes at which a division in an output shape rounds."""

import pytest

from harness.cases.case import Case, Input
from harness.checks.shapes.divisions import boundary_shapes, divisions
from harness.checks.shapes.shapes import ShapeAnswer
from reference_runtime.shapes import expressions
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DimensionOperation

CASE = Case(plugin="P", inputs=(Input(dims=("N", "W"), min=(1, 1), opt=(2, 100), max=(4, 4000)),))


def divided(make):
    """Return the divisions of an output whose last dimension is ``make(builder, width)``."""
    builder = expressions.new_builder()
    dims = expressions.input_dims(builder, 0, (-1, -1))
    answer = DimsExprs([dims[0], make(builder, dims[1])])
    return divisions(ShapeAnswer("get_output_dimensions", 0, ((-1, -1),), answer, builder, (dims,), ()))


def by(divisor, kind=DimensionOperation.CEIL_DIV):
    return divided(lambda builder, width: builder.operation(kind, width, builder.constant(divisor)))


@pytest.mark.parametrize("divisor", [2, 7, 1000])
def test_boundaries_lie_just_beside_a_multiple(divisor):
    [division] = by(divisor)
    remainders = {shapes[0][1] % divisor for shapes in boundary_shapes(CASE, division)}
    assert remainders == {0, 1, divisor - 1}
    assert all(CASE.allows(shapes) and shapes[0][0] == 2 for shapes in boundary_shapes(CASE, division))


def test_boundaries_below_the_best_shape_are_found_as_well():
    narrow = Case(plugin="P", inputs=(Input(dims=("N", "W"), min=(1, 1), opt=(2, 8), max=(4, 8)),))
    [division] = by(4)
    assert {shapes[0][1] for shapes in boundary_shapes(narrow, division)} == {8, 7, 5}


def test_boundaries_are_found_along_values_of_shape_inputs():
    size = Input(shape_input=True, types="int32", min=(1, 1), opt=(1, 8), max=(1, 9))
    case = Case(plugin="P", inputs=(Input(dims=(2,)), size))
    builder = expressions.new_builder()
    dims, values = expressions.input_dims(builder, 0, (2,)), expressions.value_dims(builder, 0, (None, None))
    half = builder.operation(DimensionOperation.FLOOR_DIV, values[1], builder.constant(2))
    asked = ShapeAnswer(
        "get_output_shapes", 0, ((2,), (None, None)), DimsExprs([half]), builder, (dims,), (), None, (values,)
    )
    [division] = divisions(asked)
    assert {shapes[1][1] for shapes in boundary_shapes(case, division)} == {8, 9}


def test_a_divisor_that_varies_or_is_one_has_no_boundary():
    [one] = by(1)
    [varying] = divided(lambda builder, width: builder.operation(DimensionOperation.FLOOR_DIV, width, width))
    assert boundary_shapes(CASE, one) == boundary_shapes(CASE, varying) == []
    assert varying.divisor_at(((2, 9),)) == 9


def test_a_division_inside_another_expression_is_seen_once():
    def nested(builder, width):
        half = builder.operation(DimensionOperation.FLOOR_DIV, width, builder.constant(2))
        return builder.operation(DimensionOperation.SUM, half, half)

    assert [str(division) for division in divided(nested)] == ["FLOOR_DIV(inputs[0][1], 2)"]


def test_a_remainder_that_never_occurs_is_not_looked_for_without_end():
    def doubled(builder, width):
        twice = builder.operation(DimensionOperation.PROD, width, builder.constant(2))
        return builder.operation(DimensionOperation.FLOOR_DIV, twice, builder.constant(2))

    [division] = divided(doubled)
    assert [shapes[0][1] for shapes in boundary_shapes(CASE, division)] == [100]
