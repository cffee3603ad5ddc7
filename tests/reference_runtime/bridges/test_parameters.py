"""What a kernel is given is read from its source."""

import numpy as np
import pytest

from reference_runtime.bridges.parameters import Parameter, parameters_of

SOURCE = """
#include <cuda_fp16.h>
// __global__ void commented(float* x);
template <typename T, int N>
__global__ void __launch_bounds__(256) tile(T const* __restrict__ x, const half *h, T* y, const int n = 3);
extern "C" __global__
void plain(const float* const x /* the input */, unsigned long long count, std::int64_t, float (&scale), bool on) {
    if (count > 1) { helper(x, 2); }
}
__global__ void nothing(void) {}
__global__ void bounded(int extents[4], void* raw) {}
"""


def of(name):
    return [(p.name, p.dtype, p.is_pointer, p.is_constant) for p in parameters_of(SOURCE, name)]


def test_pointers_have_the_type_of_their_elements():
    assert of("tile<float, 4>") == [
        ("x", None, True, True),
        ("h", np.float16, True, True),
        ("y", None, True, False),
        ("n", np.int32, False, False),
    ]


def test_numbers_have_a_type_as_far_as_numpy_has_it():
    assert [each[1:] for each in of("plain")] == [
        (np.float32, True, True),
        (np.uint64, False, False),
        (np.int64, False, False),
        (np.float32, False, False),
        (np.bool_, False, False),
    ]


def test_arrays_are_pointers_and_void_has_no_type():
    assert of("bounded") == [("extents", np.int32, True, False), ("raw", None, True, False)]
    assert parameters_of(SOURCE, "nothing") == ()


@pytest.mark.parametrize("name", ["commented", "helper", "missing"])
def test_what_the_source_does_not_define_is_unknown(name):
    assert parameters_of(SOURCE, name) is None


def test_a_parameter_is_a_value():
    assert Parameter("x") == Parameter("x", None, is_pointer=False, is_constant=False)
