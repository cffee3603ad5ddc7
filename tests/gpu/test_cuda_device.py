"""Memory and streams of a real GPU: guarded, poisoned, and what a plugin asks of the driver is known."""

import contextlib

import numpy as np
import pytest

from reference_runtime.bound.errors import NeedsHost
from reference_runtime.devices import cuda_api
from reference_runtime.devices.base import ALIGNMENT, Pointer
from reference_runtime.devices.cuda_hold import holding
from reference_runtime.devices.records import DeviceFault, FaultKind


@pytest.fixture
def array(cupy):
    """Make a CuPy array of what lies behind an address."""

    def make(address, count, dtype="f4"):
        memory = cupy.cuda.UnownedMemory(address, count * np.dtype(dtype).itemsize, None)
        return cupy.ndarray((count,), dtype, cupy.cuda.MemoryPointer(memory, 0))

    return make


def test_memory_is_aligned_poisoned_and_read_back(device):
    buffer = device.allocate(1000, label="inputs[0]")
    assert buffer.address % ALIGNMENT == 0
    assert set(buffer.read(np.uint8, 1000)) == {0x7E}
    buffer.write(np.arange(250, dtype=np.float32))
    assert (buffer.read(np.float32, 250) == np.arange(250)).all()


@pytest.mark.parametrize(("offset", "side"), [(-1, "before"), (250, "after")])
def test_what_a_kernel_writes_beside_a_buffer_is_seen(device, array, offset, side):
    buffer = device.allocate(1000, label="outputs[0]")
    array(buffer.address + 4 * offset, 1)[:] = 1.0
    (damage,) = buffer.damage()
    assert (damage.side, damage.offset) == (side, 4 * offset)


def test_a_buffer_that_is_freed_twice_is_a_fault(device):
    buffer = device.allocate(16)
    buffer.free()
    with pytest.raises(DeviceFault, match="was freed a second time"):
        buffer.free()
    assert [fault.kind for fault in device.faults] == [FaultKind.DOUBLE_FREE]


def test_addresses_are_told_apart(device):
    buffer = device.allocate(100)
    assert device.is_address(buffer.address)
    assert not device.is_address(0x1000)
    with pytest.raises(DeviceFault, match="are not in one allocation of device memory"):
        device.reach(buffer.address, 1 << 40)


def test_an_arena_tells_of_an_address_that_was_kept(device, array):
    memory = device.allocate(8192)
    arena = device.arena(memory.address, 8192, shared=False)
    piece = arena.piece(1024, 256, label="tensor")
    arena.lend(piece)
    array(piece.address, 64)[:] = 1.0
    arena.take_back(piece)
    assert device.faults == []
    array(piece.address, 64)[:] = 1.0
    arena.lend(piece)
    assert [fault.kind for fault in device.faults] == [FaultKind.OVERWRITTEN]


def test_what_is_asked_of_the_driver_is_recorded(device, cupy):
    stream = device.new_stream()
    with device.recording() as recording:
        memory = cupy.cuda.runtime.malloc(4096)
        cupy.cuda.runtime.memsetAsync(memory, 0, 4096, stream.handle)
        cupy.cuda.runtime.streamSynchronize(stream.handle)
    assert [(each.owner, each.source, each.nbytes) for each in recording.allocations] == [("plugin", "malloc", 4096)]
    assert [each.stream for each in recording.accesses] == [stream.handle]
    assert [(each.what, each.stream) for each in recording.synchronizations] == [("stream", stream.handle)]
    assert device.plugin_bytes == 4096
    cupy.cuda.runtime.free(memory)
    assert device.plugin_bytes == 0


def test_memory_of_cupy_s_pool_is_nobody_s_holding(device, cupy):
    with device.recording() as recording:
        array = cupy.empty(1 << 20, np.uint8)
    assert {each.source for each in recording.allocations} <= {"pool"}
    assert device.plugin_bytes == 0
    del array


def test_what_the_device_does_for_the_harness_is_not_recorded(device):
    with device.recording() as recording:
        device.allocate(1000).read(np.uint8, 10)
        device.synchronize()
    assert (recording.allocations, recording.synchronizations, recording.accesses) == ([], [], [])


def test_bytes_that_kernels_touch_are_not_known(device):
    with device.recording() as recording, pytest.raises(NeedsHost, match="which bytes a kernel reads and writes"):
        recording.races()


@pytest.mark.parametrize(("where", "is_early"), [("given", False), ("default", True), ("own", True)])
def test_work_that_does_not_wait_for_a_held_stream_shows(device, cupy, array, where, is_early):
    x, y, given = device.allocate(4000), device.allocate(4000), device.new_stream()
    x.write(np.arange(1000, dtype=np.float32))
    streams = {"given": given.handle, "default": 0, "own": device.new_stream().handle}
    kernel = cupy.ElementwiseKernel("float32 x", "float32 y", "y = 2 * x", "double_it")
    kernel(array(x.address, 1000), array(y.address, 1000))  # what loads it waits for the device
    y.poison()
    with holding(given.handle, [x], 0x3C) as hold:
        before = hold.peek(y)
        with cuda_api.stream_of(streams[where]):
            kernel(array(x.address, 1000), array(y.address, 1000))
        hold.let_others_work()
        assert (hold.peek(y) != before).any() == is_early
        assert not hold.is_over
    assert (y.read(np.float32, 1000) == 2 * np.arange(1000)).all() == (not is_early)


def test_memory_that_is_freed_twice_is_a_fault_though_the_error_is_swallowed(device, cupy):
    memory = cupy.cuda.runtime.malloc(4096)
    cupy.cuda.runtime.free(memory)
    with contextlib.suppress(cupy.cuda.runtime.CUDARuntimeError):
        cupy.cuda.runtime.free(memory)
    assert [(fault.kind, fault.address) for fault in device.faults] == [(FaultKind.BAD_FREE, memory)]


def test_what_frees_memory_of_the_runtime_s_is_told_which(device, cupy):
    buffer = device.allocate(100, label="outputs[0]")
    with contextlib.suppress(cupy.cuda.runtime.CUDARuntimeError):
        cupy.cuda.runtime.free(buffer.address)
    assert [(fault.kind, fault.label) for fault in device.faults] == [(FaultKind.BAD_FREE, "outputs[0]")]


def test_parameters_without_an_argument_are_0(cupy, device):
    source = """extern "C" __global__ void mark(float* y, void* scratch, void* profile) {
        y[0] = scratch || profile ? 2.0f : 1.0f;
    }"""
    image = cupy.cuda.compiler.compile_using_nvrtc(source)[0]
    buffer = device.allocate(4)
    pointer = Pointer(buffer.address, np.float32, constant=False)
    device.launch(image if isinstance(image, bytes) else image.encode(), "mark", (1,) * 6 + (0,), [pointer], stream=0)
    assert buffer.read(np.float32, 1) == [1.0]
