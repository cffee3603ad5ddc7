"""The host device: addresses, bounds, guards, poison, faults and records."""

import ctypes
import os
import signal
import sys

import numpy as np
import pytest

from reference_runtime.devices import base, host
from reference_runtime.devices.host import FaultKind, HostDevice
from reference_runtime.devices.records import Damage


@pytest.fixture(name="device")
def a_device_in_use():
    with host.use(HostDevice()) as device:
        yield device


def refused(device, kind, call):
    """Make a call that must be refused and recorded as one fault of ``kind``; return the sentence."""
    before = len(device.faults)
    with pytest.raises(host.DeviceFault) as refusal:
        call()
    assert [fault.kind for fault in device.faults[before:]] == [kind]
    assert refusal.value.fault is device.faults[-1]
    assert str(refusal.value) == device.faults[-1].sentence
    return str(refusal.value)


def test_host_device_is_a_device(device):
    assert isinstance(device, base.Device)
    assert isinstance(device.allocate(4), base.Buffer)
    assert isinstance(device.new_stream(), base.Stream)


@pytest.mark.parametrize("addresses", ["opaque", "host"])
def test_addresses_are_aligned_and_apart(addresses):
    device = HostDevice(addresses=addresses)
    buffers = [device.allocate(nbytes) for nbytes in (1, 0, 300, 256)]
    assert all(buffer.address % base.ALIGNMENT == 0 for buffer in buffers)
    assert len({buffer.address for buffer in buffers}) == len(buffers)


@pytest.mark.skipif(sys.platform != "linux", reason="signals are judged as Linux sends them")
def test_dereferencing_an_opaque_address_is_a_segmentation_fault(device):
    address = device.allocate(64).address
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        ctypes.string_at(address, 1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGSEGV


def test_opaque_addresses_are_not_canonical_and_fit_a_signed_pointer(device):
    address = device.allocate(64).address
    assert address >> 47 not in {0, (1 << 17) - 1}
    assert (address >> 48) & 0xFF not in {0, 0xFF}  # where the top byte is ignored as well
    assert address < 1 << 63


def test_a_freed_address_is_not_given_out_again(device):
    seen = set()
    for _ in range(50):
        buffer = device.allocate(32)
        assert buffer.address not in seen
        seen.add(buffer.address)
        buffer.free()


def test_host_addresses_hold_what_was_written():
    buffer = HostDevice(addresses="host").allocate(4)
    buffer.write(b"abcd")
    assert ctypes.string_at(buffer.address, 4) == b"abcd"


@pytest.mark.parametrize("seed", range(8))
def test_poison_is_no_number_that_a_kernel_would_write(device, seed):
    buffer = device.allocate(64)
    buffer.poison(seed)
    for kind in (np.float16, np.float32, np.float64):
        values = buffer.read(kind, 8).astype(np.float64)
        assert np.all(np.isnan(values) | (np.abs(values) > 40000))
    assert np.all(np.abs(buffer.read(np.int32, 16).astype(np.int64)) > 1 << 24)
    assert np.all(buffer.read(np.uint8, 64) > 1)


def test_two_poisons_have_no_byte_in_common():
    assert len({host.poison_byte(seed) for seed in range(8)}) == 8


def test_a_buffer_is_written_and_read_back(device):
    buffer = device.allocate(24)
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    buffer.write(values.T)
    assert np.array_equal(buffer.read(np.float32, (3, 2)), values.T)
    buffer.fill(7)
    assert buffer.read(np.uint8, 24).tolist() == [7] * 24


def test_what_is_read_is_a_copy(device):
    buffer = device.allocate(4)
    buffer.fill(1)
    buffer.read(np.uint8, 4)[:] = 9
    assert buffer.read(np.uint8, 4).tolist() == [1] * 4


def test_more_than_fits_is_refused(device):
    buffer = device.allocate(4, label="workspace")
    with pytest.raises(ValueError, match="8 bytes do not fit into <workspace buffer of 4 bytes"):
        buffer.write(np.zeros(1))
    with pytest.raises(ValueError, match=r"float64\[1\] takes 8 bytes"):
        buffer.read(np.float64, 1)


def test_a_view_is_the_memory_itself_with_exact_bounds(device):
    buffer = device.allocate(10)
    host.view(buffer.address + 8, 2)[:] = b"xy"
    assert buffer.read(np.uint8, 10).tobytes().endswith(b"xy")
    assert len(host.view(buffer.address, 10)) == 10


@pytest.mark.parametrize(
    ("offset", "nbytes", "where"),
    [(0, 11, "1 bytes past its end"), (9, 4, "3 bytes past its end"), (-2, 4, "2 bytes before its beginning")],
)
def test_a_view_beyond_an_end_is_a_fault(device, offset, nbytes, where):
    address = device.allocate(10, label="input 'x'").address
    sentence = refused(device, FaultKind.OUT_OF_BOUNDS, lambda: host.view(address + offset, nbytes))
    assert where in sentence
    assert "input 'x'" in sentence
    assert device.faults[-1].label == "input 'x'"


def test_an_address_without_memory_is_a_fault_of_the_device_in_use(device):
    refused(device, FaultKind.UNKNOWN, lambda: host.view(0x1000, 1))
    refused(device, FaultKind.NULL, lambda: host.view(0, 1))


def test_an_address_between_elements_is_a_fault(device):
    address = device.allocate(16).address
    sentence = refused(device, FaultKind.MISALIGNED, lambda: host.view(address + 2, 4, alignment=4))
    assert "not a multiple of the element size, 4" in sentence


def test_no_bytes_can_be_seen_anywhere(device):
    assert len(host.view(0, 0)) == 0
    assert len(host.view(device.allocate(0).address, 0)) == 0
    assert device.faults == []


def test_an_empty_allocation_has_an_address_and_nothing_behind_it(device):
    buffer = device.allocate(0)
    refused(device, FaultKind.OUT_OF_BOUNDS, lambda: host.view(buffer.address, 1))


def test_freed_memory_is_not_to_be_used_nor_freed_again(device):
    buffer = device.allocate(8)
    buffer.free()
    assert device.buffers == []
    refused(device, FaultKind.USE_AFTER_FREE, lambda: host.view(buffer.address, 1))
    refused(device, FaultKind.DOUBLE_FREE, buffer.free)
    refused(device, FaultKind.DOUBLE_FREE, lambda: host.free(buffer.address))


def test_only_the_beginning_of_an_allocation_can_be_freed(device):
    buffer = device.allocate(8)
    assert "; it is inside <" in refused(device, FaultKind.BAD_FREE, lambda: host.free(buffer.address + 4))
    refused(device, FaultKind.BAD_FREE, lambda: host.free(0x1000))
    host.free(0)
    assert device.buffers == [buffer]


def test_a_fault_belongs_to_the_device_whose_memory_it_is(device):
    other = HostDevice()
    address = other.allocate(4).address
    refused(other, FaultKind.OUT_OF_BOUNDS, lambda: host.view(address, 5))
    assert device.faults == []


def test_writing_past_an_end_damages_a_guard_band():
    buffer = HostDevice(addresses="host").allocate(10)
    ctypes.memset(buffer.address - 3, 0, 2)
    ctypes.memset(buffer.address + 10, 0, 4)
    assert buffer.damage() == [Damage("before", -3, 2), Damage("after", 10, 4)]
    buffer.poison()
    assert buffer.damage() == []


def test_of_a_large_buffer_both_ends_are_filled_and_checked():
    size = 1 << 25
    buffer = HostDevice().allocate(size)
    buffer.payload[size // 2] = 3
    buffer.fill(7)
    assert [buffer.payload[place] for place in (0, size // 2, size - 1)] == [7, 3, 7]
    buffer.free()
    buffer.payload[size - 2] = 1
    assert buffer.damage() == [Damage("freed", size - 2, 1)]


def test_writing_after_free_is_damage():
    buffer = HostDevice(addresses="host").allocate(10)
    buffer.free()
    assert buffer.damage() == []
    ctypes.memset(buffer.address + 4, 1, 2)
    assert buffer.damage() == [Damage("freed", 4, 2)]


def test_the_device_in_use_is_process_wide_and_nests(device):
    inner = HostDevice()
    with host.use(inner):
        assert host.current_device() is inner
    assert host.current_device() is device


def test_an_access_is_recorded_with_its_stream_and_only_while_recording(device):
    stream, buffer = device.new_stream(), device.allocate(8)
    host.access(buffer.address, 8, "write")
    with device.recording() as log:
        host.access(buffer.address + 4, 2, "read", stream=stream.handle)
        host.view(buffer.address, 1)
    host.access(buffer.address, 8, "write")
    assert [(a.kind, a.stream, a.address, a.nbytes) for a in log] == [
        ("read", stream.handle, buffer.address + 4, 2),
        ("view", host.LEGACY, buffer.address, 1),
    ]


def test_a_refused_access_is_not_recorded_as_one(device):
    with device.recording() as log:
        refused(device, FaultKind.UNKNOWN, lambda: host.access(0x1000, 1, "read"))
    assert list(log) == []


def test_allocations_are_recorded_with_their_owner(device):
    with device.recording() as log:
        device.allocate(8, owner="plugin", source="pool").free()
    assert [(a.owner, a.source, a.nbytes, a.freed) for a in log.allocations] == [
        ("plugin", "pool", 8, False),
        ("plugin", "pool", 8, True),
    ]


def test_waits_of_the_host_are_recorded(device):
    stream = device.new_stream()
    event = device.new_event()
    event.record(stream)
    with device.recording() as log:
        device.synchronize("stream", stream)
        device.synchronize()
        device.wait_for(event)
    assert [(s.what, s.stream) for s in log.synchronizations] == [
        ("stream", stream.handle),
        ("device", None),
        ("event", stream.handle),
    ]
    assert list(stream.log) == ["synchronize"]


def test_a_handle_that_names_no_stream_is_a_fault(device):
    refused(device, FaultKind.UNKNOWN_STREAM, lambda: host.stream_at(77))
    handle = device.new_stream().handle
    host.destroy_stream(handle)
    refused(device, FaultKind.UNKNOWN_STREAM, lambda: host.stream_at(handle))


def test_the_default_stream_has_two_handles():
    assert host.stream_at(0) is host.stream_at(1)


def test_tables_of_freed_memory_take_no_more_than_those_of_new_memory(device):
    space = host._HARDWARE.space

    def taken():
        host.forget_freed()
        return [sys.getsizeof(table) for table in (space._buffers, space._starts)]

    before = taken()
    for _ in range(100):
        device.allocate(64).free()
    assert taken() == before
