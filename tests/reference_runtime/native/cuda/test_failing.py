"""Calls that fail on purpose: which, with which status, and nothing else."""

import ctypes

import pytest

from reference_runtime.bound.errors import NeedsStandIn
from reference_runtime.bridges.stand_ins import standing_in
from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from reference_runtime.native.cuda import kernels
from reference_runtime.native.cuda.calls import Dim3
from reference_runtime.native.cuda.failing import failing
from reference_runtime.native.cuda.functions import cuda_functions
from reference_runtime.native.exchange.misuses import raise_noted

FUNCTIONS = cuda_functions()
ONE = ctypes.c_float(1.0)
OTHER = ctypes.c_float(0.0)


def copied(to):
    return FUNCTIONS["cudaMemcpy"](to, ctypes.addressof(ONE), 4, 0)


def launched(stub, arguments):
    return FUNCTIONS["cudaLaunchKernel"](stub, Dim3(1, 1, 1), Dim3(1, 1, 1), arguments, 0, 0)


def test_a_call_fails_with_a_status_and_has_no_effect():
    asked = []

    def decide(name):
        asked.append(name)
        return len(asked) == 2

    OTHER.value = 0.0
    with use(HostDevice()), failing(decide):
        memory = ctypes.c_void_p()
        assert FUNCTIONS["cudaMalloc"](ctypes.addressof(memory), 4) == 0
        assert copied(ctypes.addressof(OTHER)) == 1
        assert FUNCTIONS["cudaGetLastError"]() == 1
        assert OTHER.value == 0.0
        assert copied(ctypes.addressof(OTHER)) == 0
        assert FUNCTIONS["cudaFree"](memory.value) == 0
    assert OTHER.value == 1.0
    assert asked == ["cudaMalloc", "cudaMemcpy", "cudaMemcpy"]
    raise_noted()


def test_a_kernel_that_gets_freed_memory_is_a_status(monkeypatch):
    memory, stub = ctypes.c_void_p(), 0x51AB
    monkeypatch.setitem(kernels._KERNELS, stub, "_Z5clearPf")
    argument = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
    with use(HostDevice()), failing(lambda _: False), standing_in({"clear": lambda *_: None}):
        assert FUNCTIONS["cudaMalloc"](ctypes.addressof(memory), 4) == 0
        assert launched(stub, ctypes.addressof(argument)) == 0
        assert FUNCTIONS["cudaFree"](memory.value) == 0
        assert launched(stub, ctypes.addressof(argument)) == 700
    raise_noted()


def test_an_earlier_error_is_forgotten_and_a_kernel_still_needs_its_stand_in():
    with use(HostDevice()):
        assert FUNCTIONS["cudaSetDevice"](7) == 101
        with failing(lambda _: False):
            assert FUNCTIONS["cudaPeekAtLastError"]() == 0
            assert launched(0, 0) == 0
    with pytest.raises(NeedsStandIn):
        raise_noted()
