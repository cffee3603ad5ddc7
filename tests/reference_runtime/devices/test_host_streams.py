"""The order of work on the host's streams: what races and what does not."""

import pytest

from reference_runtime.devices import host
from reference_runtime.devices.host import HostDevice


@pytest.fixture(name="device")
def a_device_in_use():
    with host.use(HostDevice()) as device:
        yield device


def races(device, first, between, second):
    """Write on the stream ``first``, do ``between``, read on ``second``; count the races."""
    buffer = device.allocate(8)
    with device.recording() as log:
        host.access(buffer.address, 8, "write", stream=first.handle)
        between()
        host.access(buffer.address, 8, "read", stream=second.handle)
    return len(log.races())


def nothing():
    """Put nothing between two pieces of work."""


def test_work_on_two_streams_races(device):
    assert races(device, device.new_stream(), nothing, device.new_stream()) == 1


def test_work_on_one_stream_does_not_race(device):
    stream = device.new_stream()
    assert races(device, stream, nothing, stream) == 0


def test_the_default_stream_is_in_order_with_blocking_streams_only(device):
    default = device.default_stream
    blocking, apart = device.new_stream(blocking=True), device.new_stream()
    assert races(device, default, nothing, blocking) == 0
    assert races(device, blocking, nothing, default) == 0
    assert races(device, default, nothing, apart) == 1
    assert races(device, apart, nothing, default) == 1


def test_two_blocking_streams_race_unless_the_default_stream_comes_between(device):
    first, second = (device.new_stream(blocking=True) for _ in range(2))
    scratch = device.allocate(1)
    assert races(device, first, nothing, second) == 1
    assert races(device, first, lambda: host.access(scratch.address, 1, "write"), second) == 0


def test_an_event_orders_two_streams(device):
    first, second = device.new_stream(), device.new_stream()

    def wait():
        event = device.new_event()
        event.record(first)
        second.wait_event(event)

    assert races(device, first, wait, second) == 0


def test_an_event_recorded_too_early_orders_nothing(device):
    first, second = device.new_stream(), device.new_stream()
    event = device.new_event()
    event.record(first)
    assert races(device, first, lambda: second.wait_event(event), second) == 1


@pytest.mark.parametrize("what", ["stream", "device"])
def test_a_wait_of_the_host_orders_what_follows(device, what):
    first, second = device.new_stream(), device.new_stream()
    waits = {"stream": first.synchronize, "device": device.synchronize}
    assert races(device, first, waits[what], second) == 0


def test_waiting_for_another_stream_orders_nothing(device):
    first, second = device.new_stream(), device.new_stream()
    assert races(device, first, second.synchronize, second) == 1


def test_work_of_a_destroyed_blocking_stream_comes_before_the_default_stream(device):
    gone = device.new_stream(blocking=True)
    assert races(device, gone, lambda: host.destroy_stream(gone.handle), device.default_stream) == 0


def test_reading_twice_and_touching_other_bytes_are_no_races(device):
    first, second = device.new_stream(), device.new_stream()
    buffer = device.allocate(8)
    with device.recording() as log:
        host.access(buffer.address, 4, "read", stream=first.handle)
        host.access(buffer.address, 4, "read", stream=second.handle)
        host.access(buffer.address + 4, 4, "write", stream=second.handle)
    assert log.races() == []
