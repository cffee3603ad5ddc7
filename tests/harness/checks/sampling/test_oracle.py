"""What a case's reference is given, and how it may fail."""

import numpy as np
import pytest

from harness.cases.case import Case
from harness.checks.sampling.oracle import quantized, reference_outputs
from harness.contract.finding import CallbackFailedError, NotRun

SIZE = {"shape_input": True, "types": "int64", "dims": (2, 2), "min": (1,) * 4, "max": (9,) * 4}
INPUTS = ({"dims": (3,)}, SIZE)
SHAPES = ((3,), (1, 2, 3, 4))
ARRAYS = [np.zeros(3, np.float32)]


def outputs(reference):
    return reference_outputs(Case(plugin="P", inputs=INPUTS, reference=reference), SHAPES, ARRAYS)


def test_values_of_shape_inputs_come_as_arrays_after_the_data():
    x, size = outputs(lambda x, size, *, fields: (x, size))  # noqa: ARG005
    assert x is ARRAYS[0]
    assert size.dtype == np.int64
    assert size.tolist() == [[1, 2], [3, 4]]


def test_a_failure_names_the_shapes_of_all_that_was_given():
    with pytest.raises(CallbackFailedError) as caught:
        outputs(lambda x, *, fields: x)  # noqa: ARG005
    assert "reference(*arrays of shapes [[3], [2, 2]], fields=...)" in caught.value.failure.where


def test_a_failure_names_the_line_of_the_reference():
    with pytest.raises(CallbackFailedError) as caught:
        outputs(lambda x, size, *, fields: fields["factor"])  # noqa: ARG005
    line = test_a_failure_names_the_line_of_the_reference.__code__.co_firstlineno + 2
    assert caught.value.failure.where.endswith(f"in {__file__}:{line}")


@pytest.mark.parametrize(("answer", "kinds"), [(None, "object"), ("x", "<U1"), ((1.0, {}), "float64, object")])
def test_what_is_no_array_of_numbers_is_a_failure_of_the_reference(answer, kinds):
    with pytest.raises(CallbackFailedError) as caught:
        outputs(lambda x, size, *, fields: answer)  # noqa: ARG005
    assert caught.value.failure.how == f"returned arrays of {kinds}, and not of numbers"


def test_without_a_reference_nothing_can_be_said():
    with pytest.raises(NotRun, match="no reference"):
        outputs(None)


@pytest.mark.parametrize(
    ("wanted", "observed", "expected"),
    [
        (0.52, 0.5, 0.5),  # within a step
        (0.52, 0.6, 0.6),  # as near, on the other side
        (0.52, 0.7, 0.52),  # two steps away
        (99.0, 12.7, 12.7),  # saturated
        (-99.0, -12.8, -12.8),
        (99.0, 11.0, 12.7),
    ],
)
def test_a_quantized_output_is_right_within_a_step_and_saturates(wanted, observed, expected):
    found = quantized(np.array([wanted]), np.array([observed], np.float32), 0.1)
    assert found == pytest.approx([expected])


@pytest.mark.parametrize("step", [None, 0.1])
def test_what_is_not_quantized_or_of_another_shape_stays(step):
    wanted = np.array([0.52])
    assert quantized(wanted, np.array([0.5, 0.6] if step else [0.5]), step) is wanted
