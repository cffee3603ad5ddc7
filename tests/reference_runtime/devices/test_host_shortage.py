"""A host device that runs out of memory."""

import pytest

from reference_runtime.bridges import cupy as cp
from reference_runtime.devices.host import HostDevice, OutOfDeviceMemory, use


@pytest.fixture(name="device")
def a_device_in_use():
    with use(HostDevice()) as device:
        yield device


def test_so_many_allocations_of_a_plugin_succeed(device):
    with device.shortage.after(1):
        cp.cuda.runtime.malloc(16)
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="out of memory"):
            cp.cuda.runtime.malloc(16)
    assert device.shortage.refused == 1
    assert len(device.buffers) == 1


def test_the_runtime_itself_is_never_short(device):
    with device.shortage.after(0):
        assert device.allocate(16).nbytes == 16


def test_a_pool_says_it_in_its_own_words_and_keeps_its_books(device):
    pool = cp.cuda.MemoryPool()
    with device.shortage.after(0), pytest.raises(cp.cuda.memory.OutOfMemoryError, match="Out of memory allocating 512"):
        pool.malloc(100)
    assert pool.total_bytes() == 0
    assert pool.malloc(100).mem.size == 512


def test_memory_is_plentiful_again_afterwards(device):
    with device.shortage.after(0), device.shortage.after(2):
        device.allocate(16, owner="plugin")
    device.allocate(16, owner="plugin")
    with device.shortage.after(0), pytest.raises(OutOfDeviceMemory):
        device.allocate(16, owner="plugin")
