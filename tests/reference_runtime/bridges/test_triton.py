"""Triton's interpreter records what a launch does; torch and the interpreter are played by a few lines."""

import sys
import types
from contextlib import nullcontext

import numpy as np
import pytest

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges import triton as bridge
from reference_runtime.bridges.launches import Memory
from reference_runtime.bridges.torch.streams import ExternalStream, StreamContext
from reference_runtime.devices import host


class Tensor:
    """A tensor over a buffer."""

    def __init__(self, buffer):
        self.memory = Memory(buffer.address, buffer.nbytes, np.empty(0))


class InterpretedFunction:
    """What ``triton.jit`` makes of a function."""


class Tensors:
    """All values are tensors of the device's but numbers, and one is torch's own."""

    def among(self, values):
        args, kwargs = values
        return [each for each in (*args, *kwargs.values()) if isinstance(each, Tensor)]

    def memory(self, tensor):
        return tensor.memory


@pytest.fixture(name="device", autouse=True)
def a_device():
    with host.use(host.HostDevice()) as device:
        yield device


def test_a_launch_is_work_on_torch_s_current_stream(device, monkeypatch):
    torch = types.SimpleNamespace(
        _C=types.SimpleNamespace(DisableTorchFunction=nullcontext),
        cuda=types.SimpleNamespace(tensors_of_the_host_device=Tensors()),
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    x, y, stream = device.allocate(8), device.allocate(8), device.new_stream()
    own = Tensor(device.allocate(8))
    own.memory = None

    class GridExecutor:
        def __call__(self, *args, **kwargs):
            y.fill(len(args) + len(kwargs))

    interpreter = types.SimpleNamespace(GridExecutor=GridExecutor, InterpretedFunction=InterpretedFunction)
    bridge.adapt(interpreter)
    with device.recording() as log, StreamContext(ExternalStream(stream.handle)):
        interpreter.GridExecutor()(Tensor(x), Tensor(y), own, 3, BLOCK=8)
    assert [(each.stream, each.address, each.kind) for each in log] == [
        (stream.handle, x.address, "read"),
        (stream.handle, y.address, "write"),
    ]


def test_a_kernel_is_compiled_on_a_gpu_only():
    interpreter = types.SimpleNamespace(GridExecutor=InterpretedFunction, InterpretedFunction=InterpretedFunction)
    bridge.adapt(interpreter)
    with pytest.raises(NeedsGpu, match="the compilation of a kernel of Triton's needs a GPU"):
        InterpretedFunction().warmup("*fp32", grid=(1,))
