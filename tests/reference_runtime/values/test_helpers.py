import numpy as np
import pytest

import reference_runtime as trt

NUMPY = {"FLOAT", "HALF", "INT8", "INT32", "INT64", "BOOL", "UINT8"}


@pytest.mark.parametrize("name", sorted(trt.DataType.__members__))
def test_a_numpy_type_has_the_size_of_the_data_type(name):
    kind = getattr(trt.DataType, name)
    if name in NUMPY:
        assert np.dtype(trt.nptype(kind)).itemsize == kind.itemsize
    else:
        with pytest.raises(TypeError, match="Could not resolve TensorRT datatype"):
            trt.nptype(kind)


def test_the_volume_of_nothing_is_one():
    assert trt.volume(()) == 1
