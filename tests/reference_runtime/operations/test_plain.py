import math

import numpy as np
import pytest

from reference_runtime import operations
from reference_runtime.operations.activation import Activation
from reference_runtime.operations.cast import Cast, Identity
from reference_runtime.operations.concatenation import Concatenation
from reference_runtime.operations.constant import Constant
from reference_runtime.operations.elementwise import Elementwise, Select
from reference_runtime.operations.gather import Gather
from reference_runtime.operations.matrix_multiply import MatrixMultiply
from reference_runtime.operations.quantize import Dequantize, Quantize
from reference_runtime.operations.reduce import Reduce
from reference_runtime.operations.shape import Shape
from reference_runtime.operations.shuffle import Shuffle
from reference_runtime.operations.slice import Slice
from reference_runtime.operations.softmax import Softmax
from reference_runtime.operations.squeeze import Squeeze, Unsqueeze
from reference_runtime.operations.unary import Unary
from reference_runtime.values.checked_json import PlanError
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import (
    ActivationType,
    ElementWiseOperation,
    GatherMode,
    LayerType,
    MatrixOperation,
    ReduceOperation,
    SampleMode,
    UnaryOperation,
)

EACH = [
    (Activation(ActivationType.CLIP, 0.1, math.inf), {"type": 8, "alpha": "0x1.999999999999ap-4", "beta": "inf"}),
    (Cast(DataType.HALF), {"to_type": 1}),
    (Concatenation(), {"axis": None}),
    (Concatenation(2), {"axis": 2}),
    (
        Dequantize(DataType.HALF, 1, (1, 4), (0, 1, 2)),
        {"to_type": 1, "axis": 1, "block_shape": [1, 4], "operands": [0, 1, 2]},
    ),
    (Elementwise(ElementWiseOperation.DIV), {"op": 5}),
    (Gather(GatherMode.ND, 1, 2), {"mode": 2, "axis": 1, "num_elementwise_dims": 2}),
    (Identity(), {"to_type": None}),
    (Identity(DataType.INT32), {"to_type": 3}),
    (MatrixMultiply(MatrixOperation.VECTOR, MatrixOperation.TRANSPOSE), {"op0": 2, "op1": 1}),
    (Quantize(DataType.FP8), {"to_type": 6, "axis": -1, "block_shape": None, "operands": [0, 1]}),
    (Reduce(ReduceOperation.AVG, 6, keep_dims=True), {"op": 4, "axes": 6, "keep_dims": True}),
    (Select(), {}),
    (Shape(), {}),
    (
        Shuffle((1, 0), (0, -1), None, zero_is_placeholder=False),
        {
            "first_transpose": [1, 0],
            "reshape_dims": [0, -1],
            "second_transpose": None,
            "zero_is_placeholder": False,
            "operands": [0],
        },
    ),
    (
        Slice((-1,), (2,), (3,), SampleMode.CLAMP, (0,), (0, 4)),
        {"start": [-1], "size": [2], "stride": [3], "mode": 2, "axes": [0], "operands": [0, 4]},
    ),
    (Softmax(4), {"axes": 4}),
    (Squeeze(), {}),
    (Unary(UnaryOperation.ERF), {"op": 19}),
    (Unsqueeze(), {}),
]


@pytest.mark.parametrize(("operation", "plain"), EACH)
def test_settings_are_kept_and_come_back(operation, plain):
    assert operation.to_plain() == plain
    assert operations.from_plain(operation.kind, plain, b"") == operation


def test_a_constant_comes_back_with_its_data():
    constant = operations.from_plain(LayerType.CONSTANT, {"dims": [2], "dtype": 8}, np.array([5, -6]).tobytes())
    assert isinstance(constant, Constant)
    assert constant.run(())[0].tolist() == [5, -6]
    assert constant.to_plain() == {"dims": [2], "dtype": 8}


def test_every_operation_is_there():
    covered = {operation.kind for operation, _ in EACH} | {
        LayerType.CONSTANT,
        LayerType.PLUGIN,
    }  # with bytes of their own
    assert covered == set(operations.KINDS)


@pytest.mark.parametrize(
    ("kind", "plain", "weights"),
    [
        ("LOOP_OUTPUT", {}, b""),
        ("SHAPE", {"axis": 1}, b""),
        ("SHAPE", {}, b"x"),
        ("CAST", {"to_type": 99}, b""),
        ("SOFTMAX", {"axes": "1"}, b""),
        ("REDUCE", {"op": 0, "axes": 1, "keep_dims": 1}, b""),
        ("ACTIVATION", {"type": 0, "alpha": "x", "beta": "0x0p+0"}, b""),
        ("ACTIVATION", {"type": 0, "alpha": "0x1p+99999", "beta": "0x0p+0"}, b""),
        ("CONCATENATION", {"axis": 2**63}, b""),
        ("CONSTANT", {"dims": [1] * 9, "dtype": 0}, b"1234"),
        ("CONSTANT", {"dims": [2], "dtype": 0}, b"1234"),
        ("SHAPE", [], b""),
    ],
)
def test_anything_else_is_a_plan_error(kind, plain, weights):
    with pytest.raises(PlanError):
        operations.from_plain(LayerType.__members__[kind], plain, weights)
