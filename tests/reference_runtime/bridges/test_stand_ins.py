"""A function of the case's runs where the host cannot run a kernel."""

import numpy as np
import pytest

from reference_runtime.bound.errors import NeedsStandIn
from reference_runtime.bridges import cupy as cp
from reference_runtime.bridges.stand_ins import StandInError, standing_in
from reference_runtime.devices import host

SOURCE = """
extern "C" __global__ void scale(const float* x, float* y, float factor, int count) { }
"""


@pytest.fixture(name="device", autouse=True)
def a_device():
    with host.use(host.HostDevice()) as device:
        yield device


def scale(launch, x, y, factor, count):
    done = min(count, launch.threads)
    y[:done] = factor * x[:done]


def test_arrays_come_as_they_are_and_numbers_as_the_kernel_has_them():
    seen = []
    with standing_in({"scale": lambda *given: seen.append(given)}) as called:
        x, y = cp.arange(6, dtype=np.float32).reshape(2, 3), cp.zeros((2, 3), np.float32)
        cp.RawKernel(SOURCE, "scale")((2,), (3, 1), (x, y, 2, 6), shared_mem=16)
    ((launch, first, second, factor, count),) = seen
    assert (launch.name, launch.grid, launch.block, launch.shared_mem, launch.threads) == (
        "scale", (2, 1, 1), (3, 1, 1), 16, 6,
    )  # fmt: skip
    assert (first.shape, second.shape, type(factor), type(count)) == ((2, 3), (2, 3), np.float32, np.int32)
    assert called == {"scale"}


def test_what_it_writes_is_on_the_device_and_recorded_on_the_current_stream(device):
    x, y, stream = cp.arange(4, dtype=np.float32), cp.zeros(4, np.float32), cp.cuda.Stream()
    with device.recording() as log, standing_in({"scale": scale}), stream:
        cp.RawModule(code=SOURCE).get_function("scale")((1,), (3,), (x, y, np.float32(2), np.int32(4)))
    assert y.tolist() == [0, 2, 4, 0]
    assert [(each.stream, each.kind) for each in log.accesses[:2]] == [(stream.ptr, "read"), (stream.ptr, "write")]


def test_an_address_becomes_the_memory_behind_it(device):
    x, y = device.allocate(8), device.allocate(8)
    x.write(np.array([1, 2], np.float32))
    with standing_in({"scale": scale}):
        cp.RawKernel(SOURCE, "scale")((1,), (8,), (x.address, np.uint64(y.address), 3.0, 2))
    assert y.read(np.float32, 2).tolist() == [3, 6]


def test_of_an_unknown_kernel_an_address_becomes_bytes(device):
    seen = []
    buffer = device.allocate(8)
    with standing_in({"scale": lambda _, memory, number: seen.append((memory.dtype, memory.size, number))}):
        cp.RawKernel("#include <scale.h>", "scale<float>")((1,), (1,), (buffer.address, 5))
    assert seen == [(np.uint8, 8, 5)]


def test_a_constant_pointer_cannot_be_written_to():
    x = cp.zeros(2, np.float32)

    def wrong(_launch, given, *_):
        given[0] = 1

    with (
        standing_in({"scale": wrong}),
        pytest.raises(
            StandInError,
            match=r"'scale' raised ValueError: .* read-only at test_stand_ins\.py:68; .*float32\[2\], .*1\.0",
        ),
    ):
        cp.RawKernel(SOURCE, "scale")((1,), (1,), (x, x, 1, 1))


@pytest.mark.parametrize(
    ("source", "parameters"), [(SOURCE, r"launch, x, y, factor, count"), ("#include <scale.h>", r"launch, \.\.\.")]
)
def test_a_kernel_without_a_stand_in_says_what_to_write_and_which_there_are(source, parameters):
    wanted = rf'"stand_ins": {{"scale": function}} in the case, .*\({parameters}\); .* stand_ins are for scael$'
    with (
        standing_in({"scael": scale}) as called,
        pytest.raises(NeedsStandIn, match=wanted),
    ):
        cp.RawKernel(source, "scale")((1,), (1,), ())
    assert called == set()


def test_a_kernel_is_compiled_and_set_up_without_a_gpu():
    kernel = cp.RawKernel(SOURCE, "scale")
    kernel.compile()
    kernel.max_dynamic_shared_size_bytes = 1 << 16
    cp.RawModule(code=SOURCE).compile()
    with pytest.raises(Exception, match=r"RawKernel\.num_regs of 'scale' needs a GPU"):
        _ = kernel.num_regs


def test_what_no_kernel_takes_is_refused():
    with pytest.raises(TypeError, match="Unsupported type"):
        cp.RawKernel(SOURCE, "scale")((1,), (1,), ("text",))


def test_a_stand_in_that_raises_says_where():
    def scale(*_):
        raise KeyError("oh")

    line = scale.__code__.co_firstlineno + 1
    x = cp.zeros(2, np.float32)
    with (
        standing_in({"scale": scale}),
        pytest.raises(StandInError, match=rf"raised KeyError: 'oh' at test_stand_ins\.py:{line}; it was given"),
    ):
        cp.RawKernel('extern "C" __global__ void scale(float* x) {}', "scale")((1,), (1,), (x,))
