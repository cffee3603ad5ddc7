import gc

import numpy as np
import pytest

import reference_runtime as trt


def test_weights_made_from_an_array_share_its_memory_and_keep_it():
    array = np.array([1, 2], np.float32)
    weights = trt.Weights(array)
    array[0] = 7
    del array
    gc.collect()
    assert weights.numpy().tolist() == [7.0, 2.0]


def test_a_strided_array_is_refused():
    with pytest.raises(ValueError, match="non-contiguous NumPy array"):
        trt.Weights(np.arange(6, dtype=np.int32)[::2])


def test_half_a_byte_an_element_is_counted():
    assert trt.Weights(trt.int4, 0, 4).nbytes == 2
