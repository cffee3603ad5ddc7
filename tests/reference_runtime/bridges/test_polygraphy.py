"""The library that Polygraphy calls with ctypes: memory, copies and streams of the host device, and statuses."""

import ctypes
import types

import numpy as np
import pytest

from reference_runtime.bridges import polygraphy as bridge
from reference_runtime.devices import host


@pytest.fixture(name="device", autouse=True)
def a_device():
    with host.use(host.HostDevice()) as device:
        yield device


@pytest.fixture(name="cuda")
def polygraphys_runtime():
    module = types.ModuleType("polygraphy.cuda.cuda")

    class Cuda:
        def __init__(self):
            raise OSError("there is no libcudart.so")

    module.Cuda = Cuda
    bridge.adapt(module)
    return Cuda().handle


def made(function, *arguments):
    out = ctypes.c_void_p()
    assert function(ctypes.byref(out), *arguments) == 0
    return out.value


def copied(cuda, target, source, kind, stream=None):
    arguments = [ctypes.c_void_p(target), ctypes.c_void_p(source), ctypes.c_size_t(8), ctypes.c_int(kind)]
    if stream is None:
        return cuda.cudaMemcpy(*arguments)
    return cuda.cudaMemcpyAsync(*arguments, ctypes.c_void_p(stream))


def test_data_go_to_the_device_and_come_back(cuda):
    stream, memory = made(cuda.cudaStreamCreate), made(cuda.cudaMalloc, ctypes.c_size_t(8))
    given, back = np.array([1, 2], np.int32), np.zeros(2, np.int32)
    assert host.is_device_address(memory)
    assert copied(cuda, memory, given.ctypes.data, 1, stream) == 0
    assert copied(cuda, back.ctypes.data, memory, 2) == 0
    assert back.tolist() == [1, 2]
    assert cuda.cudaStreamSynchronize(ctypes.c_void_p(stream)) == 0
    assert cuda.cudaFree(ctypes.c_void_p(memory)) == 0
    assert cuda.cudaStreamDestroy(ctypes.c_void_p(stream)) == 0


def test_null_is_freed_by_doing_nothing(cuda):
    assert cuda.cudaFree(ctypes.c_void_p(None)) == 0


def test_a_wrong_address_is_a_status(cuda, device):
    back = np.zeros(2, np.int32)
    assert copied(cuda, back.ctypes.data, 0x1234, 2) == 1
    assert cuda.cudaStreamSynchronize(ctypes.c_void_p(0x1234)) == 400
    assert len(device.faults) == 2
