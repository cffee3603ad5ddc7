"""Bounds of outputs are those at the corners of the profile, all of them that matter."""

import pytest

import reference_runtime as trt
from harness.cases.case import Case, Input
from harness.checks.shapes.bounds import bounds_of
from harness.checks.shapes.shapes import ask_output_dimensions
from harness.contract.finding import NotRun
from tests.support.workbench import Creator, Doubler, subject_of

Op = trt.DimensionOperation


def bounds(case, shape):
    class Asked(Doubler):
        def get_output_dimensions(self, _index, inputs, builder):
            return trt.DimsExprs(shape(inputs, builder))

    subject = subject_of(Creator(lambda _: Asked()), case)
    return bounds_of(case, ask_output_dimensions(subject, subject.create(), 0))


def test_each_dimension_is_looked_at_by_the_extents_that_it_depends_on():
    many = Case(plugin="P", inputs=(Input(min=(1,) * 8, max=(9,) * 8), Input(min=(2,) * 8, max=(3,) * 8)))
    found = bounds(
        many, lambda inputs, builder: [builder.operation(Op.PROD, *pair) for pair in zip(*inputs, strict=True)]
    )
    assert found == [(2, 27)] * 8


def test_what_falls_while_an_extent_grows_has_bounds_too():
    case = Case(plugin="P", inputs=(Input(min=(1, 4), max=(3, 9)),))
    assert bounds(case, lambda inputs, builder: [builder.operation(Op.SUB, inputs[0][1], inputs[0][0])]) == [(1, 8)]


def test_equal_names_vary_together():
    case = Case(plugin="P", inputs=(Input(dims=("N", "N"), min=(1, 1), max=(5, 5)),))
    assert bounds(case, lambda inputs, builder: [builder.operation(Op.SUB, *inputs[0])]) == [(0, 0)]


def test_corners_count_that_are_not_valid_or_could_not_be_allocated():
    huge = Input(min=(1, 1), max=(2**20, 2**20))
    case = Case(plugin="P", inputs=(huge,), valid=lambda shape, *, fields: 1 < shape[0] < 9)  # noqa: ARG005
    assert bounds(case, lambda inputs, _: inputs[0]) == [(1, 2**20)] * 2


def test_a_dimension_of_too_many_extents_has_none():
    def total(inputs, builder):
        extents = [extent for shape in inputs for extent in shape]
        whole = extents[0]
        for extent in extents[1:]:
            whole = builder.operation(Op.SUM, whole, extent)
        return [whole]

    def case(rank):
        return Case(plugin="P", inputs=(Input(min=(1,) * 8, max=(2,) * 8), Input(min=(1,) * rank, max=(2,) * rank)))

    assert bounds(case(2), total) == [(10, 20)]
    with pytest.raises(NotRun, match="more than 10"):
        bounds(case(3), total)


def test_a_corner_without_a_value_leaves_no_bounds():
    case = Case(plugin="P", inputs=(Input(min=(0,), max=(4,)),))
    with pytest.raises(NotRun, match="divides by zero at a corner"):
        bounds(case, lambda inputs, builder: [builder.operation(Op.FLOOR_DIV, builder.constant(8), inputs[0][0])])


def test_an_empty_slot_has_none():
    with pytest.raises(NotRun, match="without an expression"):
        bounds(Case(plugin="P", inputs=({"dims": (2,)},)), lambda *_: [None])
