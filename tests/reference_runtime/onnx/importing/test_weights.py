"""Tensors of a model as TensorRT keeps them."""

import numpy as np
import pytest

from reference_runtime.onnx.importing.weights import constant
from tests.support.runtime.onnx_models import FLOAT, helper, numpy_helper

BFLOAT16, STRING = 16, 8


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.int32, np.int64, np.bool_, np.uint8])
def test_numbers_are_kept_as_they_are(dtype):
    array = np.array([[0, 1], [2, 3]]).astype(dtype)
    found = constant(numpy_helper.from_array(array))
    assert found.run(())[0].tolist() == array.tolist()
    assert found.run(())[0].dtype == dtype


def test_numbers_that_are_no_bytes_in_the_model_are_kept_too():
    found = constant(helper.make_tensor("w", FLOAT, [2], [1.0, 2.0]))
    assert found.run(())[0].tolist() == [1, 2]


def test_double_becomes_float():
    assert constant(numpy_helper.from_array(np.array([0.1]))).run(())[0].dtype == np.float32


def test_bf16_is_kept_by_its_bits():
    found = constant(helper.make_tensor("w", BFLOAT16, [2], [1.0, -2.5]))
    assert (found.dtype.name, found.run(())[0].tolist()) == ("BF16", [1, -2.5])


def test_other_bytes_can_take_the_place_of_the_models():
    found = constant(numpy_helper.from_array(np.zeros(2, np.float32)), np.array([3, 4], np.float32).tobytes())
    assert found.run(())[0].tolist() == [3, 4]


def test_an_empty_tensor_has_no_bytes():
    assert constant(numpy_helper.from_array(np.zeros((0, 2), np.float32))).weights == b""


def test_there_are_no_texts():
    assert constant(helper.make_tensor("w", STRING, [1], [b"text"])) is None
