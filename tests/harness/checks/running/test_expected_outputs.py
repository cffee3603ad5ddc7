"""What a type cannot hold is not asked of it, and what it can hold is."""

import types

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case, Tolerance
from harness.checks.running.expected_outputs import difference_from_reference, difference_from_twin
from harness.contract.finding import NotRun
from reference_runtime.values.descriptions import Description

HALF = (trt.DataType.HALF, "float16")
FLOAT = (trt.DataType.FLOAT, "float32")
INT8 = (trt.DataType.INT8, "int8")


def driver_of(output, *, scale=-1.0, tolerance=None, inputs=("float32",)):
    """Return what is asked of a driver with one output of four elements."""
    dtype, name = output
    desc = Description((4,), dtype, trt.TensorFormat.LINEAR, scale)
    subject = types.SimpleNamespace(case=Case("P", tolerance=tolerance))
    tensors = types.SimpleNamespace(types=[*inputs, name], output_types=[name], descriptions=lambda _: ([], [desc]))
    return types.SimpleNamespace(subject=subject, tensors=tensors)


def run_of(*values, dtype=np.float32):
    return types.SimpleNamespace(shapes=(), outputs=[np.array(values, dtype)])


def from_reference(driver, observed, wanted):
    return difference_from_reference(driver, run_of(*observed), [np.array(wanted, np.float32)])


def test_halves_are_infinite_where_the_reference_is_too_large():
    inf = float("inf")
    assert from_reference(driver_of(HALF), [1, inf, -inf, 2], [1, 70000, -70000, 2]) is None
    assert from_reference(driver_of(HALF), [1, inf, 3, 2], [1, 60000, 3, 2]) is not None


def test_the_coarsest_type_says_how_near():
    assert from_reference(driver_of(FLOAT, inputs=("float16",)), [1.005, 0, 0, 0], [1, 0, 0, 0]) is None
    assert from_reference(driver_of(FLOAT), [1.005, 0, 0, 0], [1, 0, 0, 0]) is not None


def test_int8_saturates_and_is_rounded_either_way():
    driver = driver_of(INT8, scale=0.5)
    assert from_reference(driver, [63.5, -64, 0.5, 1], [100, -100, 0.25, 1]) is None
    assert from_reference(driver, [63.5, -64, 1.5, 1], [100, -100, 0.25, 1]) is not None


def test_integers_of_int8_are_exact():
    driver = driver_of(INT8, inputs=("int8",), scale=1.0)
    wanted = [np.array([1, 2, 3, 4], np.int8)]
    assert difference_from_reference(driver, run_of(1, 2, 3, 4), wanted) is None
    assert difference_from_reference(driver, run_of(1, 2, 3, 5), wanted) is not None


def test_what_cancels_out_may_be_off_by_a_share_of_the_largest_value():
    observed, wanted = [1000, 0.5, 0, 0], [1000, 0, 0, 0]
    assert from_reference(driver_of(HALF), observed, wanted) is None
    assert from_reference(driver_of(HALF), [1000, 50, 0, 0], wanted) is not None
    assert from_reference(driver_of(FLOAT), observed, wanted) is not None
    assert from_reference(driver_of(HALF, tolerance=Tolerance(rtol=0.01)), observed, wanted) is not None


def test_the_tolerance_of_the_case_counts():
    driver = driver_of(FLOAT, tolerance=Tolerance(atol=1.0))
    assert from_reference(driver, [1.9, 0, 0, 0], [1, 0, 0, 0]) is None


def test_a_type_that_a_case_cannot_name_is_not_judged():
    with pytest.raises(NotRun, match="FP8"):
        from_reference(driver_of((trt.DataType.FP8, "FP8")), [1, 2, 3, 4], [1, 2, 3, 4])


def test_other_shapes_and_numbers_of_outputs_differ():
    assert difference_from_reference(driver_of(HALF), run_of(1, 2), [np.zeros((2, 2))]) is not None
    assert difference_from_reference(driver_of(HALF), run_of(1, 2), []) is not None


def test_a_twin_differs_by_more_than_its_largest_value_explains():
    driver = driver_of(FLOAT)
    assert difference_from_twin(driver, run_of(100, 1, 0, 0), run_of(100, 0, 0, 0)) is None
    assert difference_from_twin(driver, run_of(100, 9, 0, 0), run_of(100, 0, 0, 0)) is not None
    assert difference_from_twin(driver, run_of(1, 2, dtype=np.int32), run_of(1, 3, dtype=np.int32)) is not None
