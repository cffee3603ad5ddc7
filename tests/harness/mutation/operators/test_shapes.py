"""Each operator about shapes changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import shapes
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "shape_operation_changed": [
        "-        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])",
        "+        dims[0] = expr_builder.operation(trt.DimensionOperation.MAX, inputs[0][0], inputs[1][0])",
    ],
    "extent_fixed": [
        "-        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])",
        "+        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, expr_builder.constant(13), inputs[1][0])",
    ],
    "extent_of_another_axis": [
        "-        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])",
        "+        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][(0) - 1], inputs[1][0])",
    ],
    "result_on_another_axis": [
        "-        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])",
        "+        dims[(0) - 1] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])",
    ],
    "shape_of_another_input": [
        "-        dims = trt.DimsExprs(inputs[0])",
        "+        dims = trt.DimsExprs(inputs[1])",
    ],
    "extent_not_computed": [
        "-        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])",
        "+        pass",
    ],
    "extent_is_a_number": [
        "-        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])",
        "+        dims[0] = 2",
    ],
    "passed_shape_changed": [
        "-        dims = trt.DimsExprs(inputs[0])",
        "+        dims = inputs[0]",
    ],
    "builder_kept": [
        '+        expr_builder = self.__dict__.setdefault("_builder", expr_builder)',
    ],
    "shape_kept": [
        "-        return dims",
        '+        return self.__dict__.setdefault("_dims", {}).setdefault(output_index, dims)',
    ],
    "shape_inputs_unchecked": [
        "-        if len(shape_inputs) > 0:",
        '-            raise ValueError("no shape inputs")',
        "+        pass",
    ],
    "size_bound_halved": [
        "-        size = expr_builder.declare_size_tensor(1, inputs[0][0], inputs[0][1])",
        "+        size = expr_builder.declare_size_tensor(1, inputs[0][0], expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, inputs[0][1], expr_builder.constant(2)))",
    ],
    "size_of_another_output": [
        "-        size = expr_builder.declare_size_tensor(1, inputs[0][0], inputs[0][1])",
        "+        size = expr_builder.declare_size_tensor((1) + 1, inputs[0][0], inputs[0][1])",
    ],
    "implicit_shape_with_batch": [
        "-        return input_shapes[0]",
        "+        return trt.Dims((1, *(input_shapes[0])))",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(shapes).values() if isinstance(each, Operator)}
