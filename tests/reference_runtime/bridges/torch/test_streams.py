"""The streams of ``torch.cuda`` are those of the host device; torch itself is not needed for them."""

import threading

import pytest

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.bridges.torch.streams import (
    Event,
    ExternalStream,
    Stream,
    StreamContext,
    current_stream,
    default_stream,
)
from reference_runtime.devices import host


@pytest.fixture(name="device", autouse=True)
def a_device():
    with host.use(host.HostDevice()) as device:
        yield device


def test_a_stream_is_current_for_a_while_and_in_one_thread():
    seen = []
    stream = Stream()
    with StreamContext(stream), StreamContext(None):
        assert current_stream() == stream
        thread = threading.Thread(target=lambda: seen.append(current_stream()))
        thread.start()
        thread.join()
    assert seen == [default_stream()]
    assert current_stream() == ExternalStream(0)


def test_one_stream_waits_for_another(device):
    memory = device.allocate(8)
    first, second = Stream(), ExternalStream(device.new_stream().handle)
    with device.recording() as log:
        runtime.memsetAsync(memory.address, 1, 8, first.cuda_stream)
        second.wait_stream(first)
        runtime.memsetAsync(memory.address, 2, 8, second.cuda_stream)
    assert log.races() == []


def test_an_event_is_recorded_on_the_current_stream(device):
    memory, other = device.allocate(8), Stream()
    with device.recording() as log:
        runtime.memsetAsync(memory.address, 1, 8, other.cuda_stream)
        with StreamContext(Stream()):
            event = Event()
            event.record()
            runtime.memsetAsync(memory.address, 2, 8, current_stream().cuda_stream)
    assert len(log.races()) == 1
    assert event.query()


def test_the_host_waits_for_a_stream(device):
    stream = Stream()
    with device.recording() as log:
        stream.synchronize()
        stream.record_event().synchronize()
    assert [each.what for each in log.synchronizations] == ["cudaStreamSynchronize", "event"]
    assert (stream.query(), stream.__cuda_stream__()) == (True, (0, stream.cuda_stream))
