import numpy as np
import pytest

from reference_runtime.operations.softmax import Softmax
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused


def test_the_results_along_the_axis_add_up_to_one():
    (result,) = Softmax(0b10).run([np.array([[0.0, np.log(3.0)], [1000.0, 1000.0]], np.float32)])
    assert result.reshape(-1).tolist() == pytest.approx([0.25, 0.75, 0.5, 0.5])


def test_the_other_axis():
    (result,) = Softmax(0b01).run([np.array([[0.0, 5.0], [np.log(4.0), 5.0]], np.float16)])
    assert result.dtype == np.float16
    assert result.reshape(-1).tolist() == pytest.approx([0.2, 0.5, 0.8, 0.5], rel=1e-3)


@pytest.mark.parametrize(("rank", "mask"), [(1, 1), (2, 1), (3, 1), (4, 0b10), (5, 0b100)])
def test_by_default_the_third_axis_from_the_end_counts(rank, mask):
    assert Softmax().axes_of(rank) == mask


def test_an_empty_tensor_stays_empty():
    assert Softmax(1).run([np.zeros((0, 2), np.float32)])[0].shape == (0, 2)


@pytest.mark.parametrize(("mask", "message"), [(0b11, "takes one axis"), (0b100, "2 dimensions"), (0, "at least one")])
def test_masks_of_other_than_one_axis_are_refused(mask, message):
    with pytest.raises(Refused, match=message):
        Softmax(mask).infer([ValueFacts((2, 3))])


def test_types():
    assert Softmax().types([DataType.BF16]) == (DataType.BF16,)
    with pytest.raises(Refused, match="has type INT32"):
        Softmax().types([DataType.INT32])
