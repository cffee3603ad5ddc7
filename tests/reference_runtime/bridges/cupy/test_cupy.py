"""The CuPy bridge on the host device: bounds, streams, allocations, waits, and what needs a GPU."""

import ctypes
import gc
import sys

import numpy as np
import pytest

import reference_runtime.bridges.cupy as cp
from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.devices import host
from reference_runtime.devices.host import FaultKind, HostDevice


@pytest.fixture(name="device")
def a_device_in_use():
    with host.use(HostDevice()) as device:
        yield device


def over(buffer, shape, dtype=np.float32, nbytes=None):
    """Return an array over TensorRT's memory, as plugins make it."""
    nbytes = buffer.nbytes if nbytes is None else nbytes
    memory = cp.cuda.UnownedMemory(buffer.address, nbytes, None)
    return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


def work(log):
    return [(access.kind, access.stream) for access in log if access.kind != "view"]


def test_an_array_over_memory_is_that_memory(device):
    buffer = device.allocate(16)
    over(buffer, (2, 2))[...] = 3
    assert buffer.read(np.float32, 4).tolist() == [3] * 4


def test_bounds_are_checked_when_an_array_is_made_not_before(device):
    buffer = device.allocate(16, label="output 0")
    memory = cp.cuda.UnownedMemory(buffer.address, 4096, None)
    pointer = cp.cuda.MemoryPointer(memory, 0)
    assert device.faults == []
    with pytest.raises(host.DeviceFault, match="4 bytes past its end"):
        cp.ndarray((5,), np.float32, pointer)
    assert [fault.kind for fault in device.faults] == [FaultKind.OUT_OF_BOUNDS]


@pytest.mark.parametrize(("strides", "fits"), [((4, 8), True), ((12, 4), False), ((-8, 4), False)])
def test_bounds_hold_for_strides(device, strides, fits):
    buffer = device.allocate(16)
    pointer = over(buffer, 4).data
    if fits:
        assert cp.ndarray((2, 2), np.float32, pointer, strides).strides == strides
    else:
        with pytest.raises(host.DeviceFault):
            cp.ndarray((2, 2), np.float32, pointer, strides)


def test_an_element_may_not_lie_across_its_alignment(device):
    pointer = over(device.allocate(16), 4).data
    with pytest.raises(host.DeviceFault, match="not a multiple of the element size"):
        cp.ndarray((2,), np.float32, pointer + 2)


def test_an_array_is_of_no_use_after_its_memory_was_freed(device):
    buffer = device.allocate(16)
    array = over(buffer, 4)
    buffer.free()
    with pytest.raises(host.DeviceFault, match="which was freed"):
        array.sum()


def test_an_empty_array_needs_no_memory(device):
    memory = cp.cuda.UnownedMemory(0, 0, None, 0)
    empty = cp.ndarray((0, 4), np.float32, cp.cuda.MemoryPointer(memory, 0))
    empty[...] = 1
    assert (empty + 1).shape == (0, 4)
    assert cp.empty((0, 4)).sum().item() == 0
    assert device.faults == []


def test_work_is_recorded_on_the_current_stream(device):
    stream = device.new_stream().handle
    array = over(device.allocate(16), 4)
    with device.recording() as log:
        with cp.cuda.ExternalStream(stream):
            cp.multiply(array, 2, out=array)
        array.fill(0)
    assert work(log) == [("read", stream), ("write", stream), ("write", 0)]


def test_writing_a_part_is_recorded_as_that_part(device):
    buffer = device.allocate(16)
    array = over(buffer, 4)
    with device.recording() as log:
        array[1:3] = 5
    assert [(a.kind, a.address - buffer.address, a.nbytes) for a in log] == [("write", 4, 8)]


def test_real_addresses_work_like_opaque_ones():
    with host.use(HostDevice(addresses="host")) as device:
        buffer = device.allocate(16)
        over(buffer, 4).fill(2)
        assert list((ctypes.c_float * 4).from_address(buffer.address)) == [2] * 4
        with pytest.raises(host.DeviceFault, match="past its end"):
            over(buffer, 5, nbytes=20)


@pytest.mark.parametrize("how", ["external", "from_external", "use"])
def test_there_are_three_ways_to_a_given_stream(device, how):
    handle = device.new_stream().handle
    protocol = type("Handed", (), {"__cuda_stream__": lambda _: (0, handle)})()
    array = over(device.allocate(16), 4)
    with device.recording() as log:
        if how == "use":
            cp.cuda.ExternalStream(handle).use()
            array.fill(1)
            cp.cuda.Stream.null.use()
        else:
            make = {"external": lambda: cp.cuda.ExternalStream(handle)}
            with make.get(how, lambda: cp.cuda.Stream.from_external(protocol))():
                array.fill(1)
    assert work(log) == [("write", handle)]


def test_streams_nest_and_the_current_one_comes_back(device):
    outer, inner = (cp.cuda.ExternalStream(device.new_stream().handle) for _ in range(2))
    with outer:
        with inner:
            assert cp.cuda.get_current_stream() is inner
        assert cp.cuda.get_current_stream() is outer
    assert cp.cuda.get_current_stream() == cp.cuda.Stream.null


def test_views_are_no_work(device):
    array = over(device.allocate(48), (3, 4))
    with device.recording() as log:
        array[1:], array.T, array.reshape(4, 3), array.ravel(), cp.broadcast_to(array, (2, 3, 4))
    assert work(log) == []
    assert log.allocations == []


def test_computing_into_an_array_allocates_nothing_and_waits_for_nothing(device):
    x, y = over(device.allocate(16), 4), over(device.allocate(16), 4)
    with device.recording() as log:
        cp.exp(x, out=y)
        y += x
        y[:2] = x[2:]
        cp.concatenate([x[:1], x[1:]], out=y)
        cp.copyto(y, x)
    assert log.allocations == []
    assert log.synchronizations == []


def test_a_new_result_is_memory_of_the_pool_and_goes_back_to_it(device):
    x = over(device.allocate(16), 4)
    with device.recording() as log:
        result = x + 1
        assert [buffer.owner for buffer in device.buffers] == ["runtime", "plugin"]
        del result
    assert [(a.owner, a.source, a.nbytes, a.freed) for a in log.allocations] == [
        ("plugin", "pool", 16, False),
        ("plugin", "pool", 16, True),
    ]


def test_memory_by_cuda_malloc_is_counted_apart_and_can_leak(device):
    kept = cp.cuda.runtime.malloc(100)
    cp.cuda.runtime.free(cp.cuda.runtime.malloc(50))
    assert [(b.address, b.owner, b.source, b.nbytes) for b in device.buffers] == [(kept, "plugin", "malloc", 100)]


def test_freeing_what_is_tensorrts_is_seen(device):
    buffer = device.allocate(16)
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorInvalidValue"):
        cp.cuda.runtime.free(buffer.address + 4)
    with device.recording() as log:
        cp.cuda.runtime.free(buffer.address)
    assert [(a.owner, a.freed) for a in log.allocations] == [("runtime", True)]


@pytest.mark.parametrize(
    "look",
    [lambda x: x.get(), lambda x: float(x[0]), cp.asnumpy, lambda x: x.any() and 1, lambda x: x[x > 0]],
)
def test_what_the_host_must_know_makes_it_wait(device, look):
    stream = device.new_stream().handle
    x = cp.arange(4)
    with device.recording() as log, cp.cuda.ExternalStream(stream):
        look(x)
    assert {wait.stream for wait in log.synchronizations} == {stream}


def test_a_plain_copy_is_work_on_the_default_stream(device):
    x, y = cp.zeros(4), cp.ones(4)
    stream = device.new_stream().handle
    with cp.cuda.ExternalStream(stream), device.recording() as log:
        x.data.copy_from_device(y.data, 32)
        x.data.copy_from_device_async(y.data, 32)
    assert work(log) == [("read", 0), ("write", 0), ("read", stream), ("write", stream)]


def test_a_copy_beyond_the_memory_is_an_invalid_argument_and_a_fault(device):
    x = cp.zeros(4)
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorInvalidValue"):
        x.data.memset(0, 33)
    assert [fault.kind for fault in device.faults] == [FaultKind.OUT_OF_BOUNDS]


def test_a_copy_to_no_address_of_the_host_is_refused(device):
    x = cp.zeros(4)
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
        x.data.copy_to_host(1 << 60, 8)
    assert device.faults == []


def test_streams_of_cupy_order_work_as_cuda_does(device):
    buffer = device.allocate(16)
    x = over(buffer, 4)
    first, second = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    with device.recording() as log:
        with first:
            x.fill(1)
        with second:
            x.fill(2)
        second.wait_event(first.record())
        with second:
            x.fill(3)
    assert len(log.races()) == 1


def test_work_on_an_unknown_stream_is_refused(device):
    x = over(device.allocate(16), 4)
    with (
        pytest.raises(host.DeviceFault, match="not the handle of a stream"),
        device.recording(),
        cp.cuda.ExternalStream(77),
    ):
        x.fill(1)


@pytest.mark.parametrize(
    "kernel",
    [
        cp.RawKernel("extern ...", "scale"),
        cp.RawModule(code="extern ...").get_function("scale"),
        cp.ElementwiseKernel("T x", "T y", "y = x", "scale"),
        cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "scale"),
    ],
    ids=lambda kernel: type(kernel).__name__,
)
def test_a_kernel_can_be_declared_but_not_launched(kernel):
    with pytest.raises(NeedsGpu, match="'scale' needs a GPU"):
        kernel((1,), (1,), ())


def test_a_function_that_the_host_lacks_needs_a_gpu_when_it_is_called():
    vectorize = cp.vectorize
    with pytest.raises(NeedsGpu, match=r"cupy\.vectorize"):
        vectorize(abs)


def test_a_call_of_the_runtime_that_the_host_lacks_needs_a_gpu():
    copy = cp.cuda.runtime.memcpy2D
    with pytest.raises(NeedsGpu, match=r"cupy\.cuda\.runtime\.memcpy2D"):
        copy(0, 0, 0, 0, 0, 0, 0)


def test_random_numbers_leave_numpys_generator_alone():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - the legacy generator is what is at stake
    cp.random.seed(1)
    first = cp.random.rand(3, dtype=np.float32).get()
    cp.random.seed(1)
    assert np.array_equal(first, cp.random.rand(3, dtype=np.float32).get())
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002 - the same


def test_a_memoized_function_remembers_until_told_to_forget():
    calls = []

    @cp.memoize()
    def remembered(value):
        calls.append(value)
        return value

    assert [remembered(1), remembered(1), remembered(2)] == [1, 1, 2]
    cp.clear_memo()
    remembered(1)
    assert calls == [1, 2, 1]


def test_repeated_work_leaves_nothing_behind(device):
    x = over(device.allocate(24), (2, 3))

    def once():
        x[0].fill(1)
        x[:, 1:] = x[:, :-1]
        cp.multiply(x, 2, out=x)

    def blocks():
        host.forget_freed()  # it is remembered on purpose, so that its use is seen
        gc.collect()
        return sys.getallocatedblocks()

    def grown():
        before = blocks()
        for _ in range(40):
            once()
        return blocks() - before

    assert min(grown() for _ in range(3)) < 40


@pytest.mark.parametrize(("same", "races"), [(True, 0), (False, 1)])
def test_memory_is_freed_in_the_order_of_the_stream_that_frees_it(device, same, races):
    work, other = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    with device.recording() as log:
        address = cp.cuda.runtime.mallocAsync(16, work.ptr)
        cp.cuda.runtime.memsetAsync(address, 0, 16, work.ptr)
        cp.cuda.runtime.freeAsync(address, work.ptr if same else other.ptr)
    assert len(log.races()) == races


class _Named:
    """An array of another library that names the stream on which it is made."""

    def __init__(self, buffer, stream):
        facts = {"shape": (3,), "typestr": "<f4", "strides": None, "version": 3}
        self.__cuda_array_interface__ = {**facts, "data": (buffer.address, False), "stream": stream}


@pytest.mark.parametrize(("switch", "waits"), [(None, 1), ("1", 1), ("0", 0)])
def test_an_array_is_taken_over_after_a_wait_for_the_stream_that_it_names(device, monkeypatch, switch, waits):
    monkeypatch.delenv("CUPY_CUDA_ARRAY_INTERFACE_SYNC", raising=False)
    if switch is not None:
        monkeypatch.setenv("CUPY_CUDA_ARRAY_INTERFACE_SYNC", switch)
    stream = device.new_stream()
    with device.recording() as log:
        cp.asarray(_Named(device.allocate(12), stream.handle))
    assert [each.stream for each in log.synchronizations] == [stream.handle] * waits


def test_an_array_that_names_no_stream_is_taken_over_at_once(device):
    with device.recording() as log:
        cp.asarray(_Named(device.allocate(12), None))
    assert log.synchronizations == []


#: What CUDA 13.0 does on an H100, for each direction from 0 to 4: + is a copy, - an invalid argument.
COPIES = {
    ("host", "host"): "+---+",
    ("host", "device"): "+-+-+",
    ("device", "host"): "++--+",
    ("device", "device"): "+++++",
}


def copied(copy, target, source, direction):
    """Copy four numbers between two sides; return what CUDA says, and + if they arrived."""
    numbers = np.arange(4, dtype=np.float32)
    to = np.zeros(4, np.float32) if target == "host" else cp.zeros(4, np.float32)
    of = numbers if source == "host" else cp.asarray(numbers)
    addresses = [each.ctypes.data if isinstance(each, np.ndarray) else each.data.ptr for each in (to, of)]
    try:
        copy(*addresses, 16, direction)
    except cp.cuda.runtime.CUDARuntimeError as error:
        return "-" if "invalid argument" in str(error) else str(error)
    cp.cuda.Device().synchronize()
    arrived = to if target == "host" else cp.asnumpy(to)
    return "+" if arrived.tolist() == numbers.tolist() else f"{arrived}"


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(("target", "source"), COPIES)
def test_a_copy_needs_memory_of_the_device_where_its_direction_names_the_device(target, source):
    runtime = cp.cuda.runtime
    for copy in (runtime.memcpy, lambda *how: runtime.memcpyAsync(*how, 0)):
        assert "".join(copied(copy, target, source, direction) for direction in range(5)) == COPIES[target, source]
