import numpy as np
import pytest

from reference_runtime.operations.constant import Constant
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.checked_json import PlanError
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused
from reference_runtime.values.weights import Weights

T = DataType


def test_the_data_are_those_that_lie_in_the_weights_now():
    data = np.array([1.0, 2.0], np.float32)
    constant = Constant.of_weights((2, 1), Weights(data))
    data[0] = 7
    assert constant.run(())[0].tolist() == [[7.0], [2.0]]
    assert constant.types(()) == (T.FLOAT,)
    assert constant.weights == data.tobytes()


def test_whole_numbers_are_known_values():
    assert Constant.of_weights((2,), Weights(np.array([3, -1], np.int64))).infer(())[0] == ValueFacts((2,), (3, -1))
    assert Constant.of_weights((), Weights(np.array(1, bool))).infer(())[0] == ValueFacts((), (1,))
    assert Constant.of_weights((1,), Weights(np.ones(1, np.float32))).infer(())[0] == ValueFacts((1,), reals=(1.0,))
    assert Constant.of_weights((1, 1), Weights(np.ones(1, np.float32))).infer(())[0] == ValueFacts((1, 1))
    assert Constant.of_weights((9999,), Weights(np.ones(9999, np.int32))).infer(())[0].values is None


@pytest.mark.parametrize(("dims", "message"), [((3,), "needs 3 weights, not 2"), ((-1, -2), "cannot have the shape")])
def test_weights_must_fill_the_shape(dims, message):
    with pytest.raises(Refused, match=message):
        Constant.of_weights(dims, Weights(np.ones(2, np.float32)))


def test_weights_must_be_somewhere():
    with pytest.raises(Refused, match="their address is 0"):
        Constant.of_weights((2,), Weights(T.FLOAT, 0, 2))


@pytest.mark.parametrize(
    ("dtype", "dims", "data", "expected"),
    [
        (T.BF16, (2,), b"\x80\x3f\x20\xc1", [1.0, -10.0]),
        (T.FP8, (3,), b"\x38\xb8\x7e", [1.0, -1.0, 448.0]),
        (T.INT4, (3,), b"\x71\x08", [1, 7, -8]),
        (T.FP4, (4,), b"\x71\x9f", [0.5, 6.0, -6.0, -0.5]),
        (T.E8M0, (2,), b"\x7f\x82", [1.0, 8.0]),
        (T.HALF, (1,), b"\x00\x3c", [1.0]),
        (T.BOOL, (2,), b"\x00\x01", [False, True]),
    ],
)
def test_each_type_is_read_from_its_bits(dtype, dims, data, expected):
    constant = Constant.of_plan(data, dims=dims, dtype=dtype)
    assert constant.run(())[0].tolist() == expected
    assert constant.weights == data


def test_a_plan_must_hold_as_many_bytes_as_the_shape_needs():
    with pytest.raises(PlanError, match="has not 3 bytes"):
        Constant.of_plan(b"123", dims=(2,), dtype=T.HALF)
    with pytest.raises(PlanError, match="has not 0 bytes"):
        Constant.of_plan(b"", dims=(-1,), dtype=T.HALF)


def test_a_constant_may_be_empty():
    constant = Constant.of_weights((0, 3), Weights(DataType.HALF))
    assert constant.weights == b""
    assert constant.run(())[0].shape == (0, 3)
