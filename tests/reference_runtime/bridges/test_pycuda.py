"""PyCUDA can be imported and needs a GPU where it is called."""

import pytest

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges import pycuda


def test_a_call_says_what_it_is_and_that_it_needs_a_gpu():
    with pytest.raises(NeedsGpu, match=r"^pycuda\.mem_alloc needs a GPU"):
        pycuda.mem_alloc(8)
    with pytest.raises(NeedsGpu, match=r"^pycuda\.gpuarray\.to_gpu needs a GPU"):
        pycuda.gpuarray.to_gpu([1])


def test_kernels_are_made_without_a_gpu():
    kernel = pycuda.SourceModule("__global__ void scale() {}").get_function("scale")
    with pytest.raises(NeedsGpu, match=r"^the kernel 'scale' of PyCUDA needs a GPU"):
        kernel(block=(1, 1, 1))


def test_a_special_attribute_is_not_made_up():
    assert not hasattr(pycuda, "__wrapped__")
    assert not hasattr(pycuda.driver, "__wrapped__")
