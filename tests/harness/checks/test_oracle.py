"""What a case's reference is given, and how it may fail."""

import numpy as np
import pytest

from harness.case import Case
from harness.checks.oracle import reference_outputs
from harness.finding import CallbackFailedError, NotRun

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
    assert "reference(*arrays of shapes [[3], [2, 2]], fields=...)" in caught.value.mishap.where


def test_without_a_reference_nothing_can_be_said():
    with pytest.raises(NotRun, match="no reference"):
        outputs(None)
