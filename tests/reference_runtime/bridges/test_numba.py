"""Numba's simulator works on the host device; the simulator itself is played by a few lines where it is not needed."""

import sys
import types

import numpy as np
import pytest

from reference_runtime.bridges import cupy as cp
from reference_runtime.bridges import launches
from reference_runtime.bridges import numba as bridge
from reference_runtime.devices import host


@pytest.fixture(name="device", autouse=True)
def a_device():
    with host.use(host.HostDevice()) as device:
        yield device


class FakeCUDAArray:
    def __init__(self, ary):
        self.ary = ary


class FakeCUDAKernel:
    """Runs a function once, on the arrays below what it is given."""

    def __init__(self, function):
        self.function = function

    def __getitem__(self, configuration):
        self.configuration = configuration
        return self

    def __call__(self, *arguments):
        self.function(*(getattr(each, "ary", each) for each in arguments))


@pytest.fixture(name="cuda")
def an_adapted_numba(monkeypatch):
    simulator = types.SimpleNamespace(FakeCUDAKernel=type("FakeCUDAKernel", (FakeCUDAKernel,), {}))
    cuda = types.ModuleType("numba.cuda")
    parts = {
        "numba": types.SimpleNamespace(),
        "numba.core": types.SimpleNamespace(),
        "numba.core.config": types.SimpleNamespace(ENABLE_CUDASIM=True),
        "numba.cuda": cuda,
        "numba.cuda.simulator": types.SimpleNamespace(),
        "numba.cuda.simulator.kernel": simulator,
        "numba.cuda.simulator.kernelapi": types.SimpleNamespace(FakeCUDAModule=type("FakeCUDAModule", (), {})),
        "numba.cuda.simulator.cudadrv": types.SimpleNamespace(),
        "numba.cuda.simulator.cudadrv.devicearray": types.SimpleNamespace(FakeCUDAArray=FakeCUDAArray),
    }
    for name, part in parts.items():
        monkeypatch.setitem(sys.modules, name, part)
    bridge.adapt(cuda)
    cuda.jit = simulator.FakeCUDAKernel
    return cuda


def interface(buffer, shape, stream=None):
    data = {"shape": shape, "typestr": "<f4", "data": (buffer.address, False), "version": 3, "stream": stream}
    return types.SimpleNamespace(__cuda_array_interface__=data)


def double(x, y):
    y[...] = 2 * x


def test_a_launch_is_work_on_its_stream_and_on_the_memory_of_the_device(device, cuda):
    x, y, stream = device.allocate(12), device.allocate(12), device.new_stream()
    x.write(np.arange(3, dtype=np.float32))
    y.fill(0)
    arrays = [cuda.as_cuda_array(interface(each, (3,))) for each in (x, y)]
    with device.recording() as log:
        cuda.jit(double)[1, 3, cuda.external_stream(stream.handle)](*arrays)
    assert y.read(np.float32, 3).tolist() == [0, 2, 4]
    assert [(each.stream, each.address, each.kind) for each in log] == [
        (stream.handle, x.address, "read"),
        (stream.handle, y.address, "write"),
    ]
    assert log.synchronizations == []


def test_numba_waits_for_the_stream_that_an_array_names(device, cuda):
    x, y = cp.arange(3, dtype=np.float32), cp.zeros(3, np.float32)
    with device.recording() as log:
        cuda.jit(double)[1, 3](x, y)
    assert y.tolist() == [0, 2, 4]
    assert [each.what for each in log.synchronizations][:2] == ["cudaStreamSynchronize"] * 2


def test_a_stream_of_numba_s_is_one_of_the_device_s(device, cuda):
    x = device.allocate(4)
    stream = cuda.stream()
    with device.recording() as log, stream.auto_synchronize():
        cuda.jit(lambda x: x.fill(1))[1, 1, stream](interface(x, (1,)))
    assert [each.stream for each in log] == [int(stream)]
    assert [each.stream for each in log.synchronizations] == [int(stream)]


def test_an_array_leaves_its_memory_for_no_shape(device, cuda):
    with pytest.raises(host.DeviceFault, match="past its end"):
        cuda.as_cuda_array(interface(device.allocate(12), (4,)))


def test_a_number_is_taken_for_an_integer_where_one_is_needed(cuda):
    seen = []
    cuda.jit(lambda count: seen.extend(range(count)))[1, 1](np.float64(3))
    assert seen == [0, 1, 2]


def test_whoever_wants_to_know_is_told_of_the_simulator(cuda, monkeypatch):
    told = []
    monkeypatch.setattr(launches._Listener, "listener", None)
    cuda.jit(lambda: None)[1, 1]()
    launches.tell_of_interpreters(told.append)
    cuda.jit(lambda: None)[1, 1]()
    assert told == ["Numba's simulator"]


def test_other_threads_find_the_module_s_names_while_a_kernel_runs(cuda):
    fake = sys.modules["numba.cuda.simulator.kernelapi"].FakeCUDAModule()
    assert fake.external_stream is cuda.external_stream


def test_without_its_simulator_numba_is_left_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba.core.config", types.SimpleNamespace(ENABLE_CUDASIM=False))
    cuda = types.ModuleType("numba.cuda")
    bridge.adapt(cuda)
    assert not hasattr(cuda, "as_cuda_array")
