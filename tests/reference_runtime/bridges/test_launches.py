"""Memory that a kernel is given, and what is recorded of it."""

import numpy as np
import pytest

from reference_runtime.bridges.launches import launched, memory_from
from reference_runtime.devices import host


@pytest.fixture
def device():
    with host.use(host.HostDevice()) as device:
        yield device


def test_memory_ends_where_its_buffer_does(device):
    buffer = device.allocate(14)
    found = memory_from(buffer.address + 4, np.dtype(np.float32))
    assert (found.address, found.nbytes, found.elements.shape) == (buffer.address + 4, 8, (2,))
    assert memory_from(buffer.address, None).elements.shape == (14,)


def test_nothing_lies_behind_a_null_pointer_or_in_an_empty_buffer(device):
    assert memory_from(0, np.dtype(np.float32)).elements.size == 0
    assert memory_from(device.allocate(0).address, None).elements.size == 0


@pytest.mark.parametrize(
    ("offset", "sentence"), [(2, "not a multiple of the element size"), (1 << 20, "no device memory")]
)
def test_a_pointer_that_leads_nowhere_is_a_fault(device, offset, sentence):
    buffer = device.allocate(16)
    with pytest.raises(host.DeviceFault, match=sentence) as caught:
        memory_from(buffer.address + offset, np.dtype(np.float32))
    assert caught.value.fault in device.faults


def test_a_freed_buffer_is_a_fault(device):
    buffer = device.allocate(16)
    buffer.free()
    with pytest.raises(host.DeviceFault, match="which was freed"):
        memory_from(buffer.address, None)


def test_what_changed_was_written_and_the_rest_was_read(device):
    stream = device.new_stream().handle
    x, y = (memory_from(device.allocate(8).address, np.dtype(np.float32)) for _ in range(2))
    with device.recording() as log, launched([x, y], stream):
        y.elements[:] = 3
    assert [(each.stream, each.address, each.kind) for each in log] == [
        (stream, x.address, "read"),
        (stream, y.address, "write"),
    ]


def test_an_unknown_stream_is_a_fault(device):
    with pytest.raises(host.DeviceFault, match="not the handle of a stream"), launched([], 77):
        pass
    assert device.faults
