"""Handles of cuBLAS and cuDNN on the host device: made, set up and destroyed once."""

import ctypes

import pytest

from reference_runtime.native.cuda.handles import FUNCTIONS
from reference_runtime.native.exchange.misuses import MisuseError, raise_noted


def call(name, *arguments):
    return FUNCTIONS[name][1](*arguments)


def made(name):
    where = ctypes.c_uint64()
    call(name, ctypes.addressof(where))
    return where.value


@pytest.mark.parametrize(
    ("make", "setters", "destroy"),
    [
        ("cublasCreate_v2", [("cublasSetStream_v2", 0), ("cublasSetMathMode", 1)], "cublasDestroy_v2"),
        ("cudnnCreate", [("cudnnSetStream", 0)], "cudnnDestroy"),
        (
            "cudnnCreateTensorDescriptor",
            [("cudnnSetTensor4dDescriptor", 0, 0, 1, 2, 3, 4)],
            "cudnnDestroyTensorDescriptor",
        ),
    ],
)
def test_a_handle_is_made_set_up_and_destroyed(make, setters, destroy):
    handle = made(make)
    assert handle not in {0, made(make)}
    for setter, *arguments in setters:
        assert call(setter, handle, *arguments) == 0
    assert call(destroy, handle) == 0
    raise_noted()


def test_a_handle_is_destroyed_once_and_not_used_afterwards():
    handle = made("cudnnCreate")
    assert call("cudnnDestroy", handle) == 0
    assert call("cudnnDestroy", handle) != 0
    with pytest.raises(MisuseError, match="cudnnDestroy was given a handle that cudnnCreate did not create"):
        raise_noted()
    assert call("cudnnSetStream", handle, 0) != 0
    with pytest.raises(MisuseError, match="cudnnSetStream was given a handle that was not created"):
        raise_noted()


def test_a_handle_is_destroyed_by_the_function_of_its_kind():
    handle = made("cublasCreate_v2")
    call("cublasLtDestroy", handle)
    with pytest.raises(MisuseError, match="cublasLtDestroy"):
        raise_noted()


def test_nothing_happens_to_a_null_pointer():
    assert call("cublasDestroy_v2", 0) == 0
    raise_noted()
