"""A builder times plugins in memory of the application's allocator, where it has one."""

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.builder.lending import lending
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.devices import host
from reference_runtime.values.refusals import Refused
from tests.support.runtime.recording import shop


class Allocator(trt.IGpuAllocator):
    """Lends memory of the device itself."""

    def __init__(self, *, address=None):
        super().__init__()
        self.lent, self.sizes, self.address = {}, [], address

    def allocate(self, size, _alignment, _flags):
        self.sizes.append(size)
        if self.address is not None:
            return self.address
        buffer = host.current_device().allocate(size)
        self.lent[buffer.address] = buffer
        return buffer.address

    def deallocate(self, memory):
        self.lent.pop(memory).free()
        return True


@pytest.fixture
def made():
    with shop() as made:
        made.profile()
        yield made


def test_without_an_allocator_the_device_lends_itself():
    device = host.current_device()
    assert lending(device, Gate(), None) is device


def test_lent_memory_is_poisoned_written_and_read():
    mine = Allocator()
    buffer = lending(host.current_device(), Gate(), mine).allocate(8, label="x")
    assert buffer.read(np.uint8, 8).tolist() == [0xA5] * 8
    buffer.write(np.array([1, 2], np.int16))
    assert buffer.read(np.int16, (2,)).tolist() == [1, 2]
    assert (buffer.nbytes, buffer.label) == (8, "x")
    buffer.free()
    assert mine.lent == {}


def test_a_plugin_is_timed_in_the_applications_memory(made):
    made.builder.gpu_allocator = mine = Allocator()
    assert made.builder.build_serialized_network(made.network(), made.config)
    assert 64 in mine.sizes
    assert mine.lent == {}


@pytest.mark.parametrize(("address", "words"), [(0, "gave no memory for"), (4096, "gave address 0x1000 for")])
def test_an_allocator_that_lends_nothing_usable_gives_no_engine(made, address, words):
    made.builder.gpu_allocator = Allocator(address=address)
    assert made.builder.build_serialized_network(made.network(), made.config) is None
    assert words in made.log.errors[0]


def test_a_refused_allocation_has_its_own_code():
    with pytest.raises(Refused) as caught:
        lending(host.current_device(), Gate(), Allocator(address=0)).allocate(8)
    assert caught.value.reason.value[0] == int(trt.ErrorCodeTRT.FAILED_ALLOCATION)


def test_a_plugin_is_timed_on_the_applications_stream(made):
    stream = host.current_device().new_stream()
    made.config.profile_stream = stream.handle
    assert made.builder.build_serialized_network(made.network(), made.config)
    assert {arguments[-1] for _, _, arguments in made.tape.of("enqueue")} == {stream.handle}


def test_an_allocator_and_a_stream_are_independent():
    mine, device = Allocator(), host.current_device()
    assert lending(device, Gate(), mine).new_stream().handle not in {0, 4096}
    assert lending(device, Gate(), None, 4096).new_stream().handle == 4096
    assert lending(device, Gate(), None, 4096).allocate(8).nbytes == 8
    assert mine.sizes == []
