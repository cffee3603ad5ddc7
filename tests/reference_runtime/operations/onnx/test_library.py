"""The package onnx: imported late, and its types under TensorRT's names."""

import subprocess
import sys

import numpy as np

import reference_runtime as trt
from reference_runtime.operations.onnx import library

WITHOUT = """
import sys
sys.modules["onnx"] = None
import reference_runtime as trt
network = trt.Builder(trt.Logger()).create_network()
for make in (lambda: trt.OnnxParser(network, trt.Logger()), lambda: trt.OnnxParserRefitter):
    try:
        make()
    except ImportError as error:
        print(error)
"""


def test_the_runtime_is_imported_without_onnx_and_the_parser_says_what_it_needs():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout == (f"ONNX models are read with the package onnx, which is not installed: {library.INSTALL}\n")


def test_a_type_that_tensorrt_has_goes_there_and_back():
    for dtype in trt.DataType.__members__.values():
        assert library.data_type(library.element_type(dtype)) == dtype


def test_double_is_float_and_text_is_nothing():
    assert library.data_type(library.DOUBLE) == trt.DataType.FLOAT
    assert library.data_type(8) is None


def test_numpy_has_some_of_the_types():
    assert library.numpy_type(library.INT64) == np.int64
    assert library.numpy_type(library.BFLOAT16) is None
    assert library.element_of(np.dtype(np.float32)) == library.FLOAT
