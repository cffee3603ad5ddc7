"""cuda-python on the host: memory and streams of the host device, and launches that stand-ins serve."""

import ctypes

import numpy as np
import pytest

from reference_runtime.bound.errors import NeedsGpu, NeedsStandIn
from reference_runtime.bridges.cuda_python.bindings import driver, nvrtc, runtime
from reference_runtime.bridges.stand_ins import standing_in
from reference_runtime.devices import host

SOURCE = b'extern "C" __global__ void scale(const float* x, float* y, double factor, int count) {}'
DONE = driver.CUresult.CUDA_SUCCESS


@pytest.fixture(name="device", autouse=True)
def a_device():
    with host.use(host.HostDevice()) as device:
        yield device


def checked(answer):
    assert answer[0].value == 0, answer
    return answer[1] if len(answer) == 2 else answer[1:]


def scale(launch, x, y, factor, count):
    done = min(count, launch.threads)
    y[:done] = factor * x[:done]


def built(*, cubin=True):
    """Return what the compiler makes, written to bytes as NVIDIA's samples have it."""
    program = checked(nvrtc.nvrtcCreateProgram(SOURCE, b"scale.cu", 0, [], []))
    checked(nvrtc.nvrtcCompileProgram(program, 1, [b"-G"]))
    log = bytearray(checked(nvrtc.nvrtcGetProgramLogSize(program)))
    checked(nvrtc.nvrtcGetProgramLog(program, log))
    size, get = (nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN) if cubin else (nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
    image = b" " * checked(size(program))
    checked(get(program, image))
    checked(nvrtc.nvrtcDestroyProgram(program))
    return image


def kernel(image=None, name=b"scale"):
    return checked(
        driver.cuModuleGetFunction(checked(driver.cuModuleLoadData(built() if image is None else image)), name)
    )


def arrays(device, count=3):
    x, y = device.allocate(4 * count), device.allocate(4 * count)
    x.write(np.arange(count, dtype=np.float32))
    y.fill(0)
    return x, y


def launched(function, arguments, threads=8, stream=0):
    return driver.cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, arguments, 0)


def addresses_of(*values):
    return np.array([value.ctypes.data for value in values], np.uint64)


@pytest.mark.parametrize("wrap", [bytes, np.array, bytearray, lambda image: np.frombuffer(image, np.uint8)])
def test_a_kernel_runs_by_the_addresses_of_its_arguments(device, wrap):
    x, y = arrays(device)
    values = [
        np.array([x.address], np.uint64),
        np.array([y.address], np.uint64),
        np.array(2.0, np.float64),
        np.array(2, np.uint32),
    ]
    stream = device.new_stream()
    with device.recording() as log, standing_in({"scale": scale}) as called:
        answer = launched(kernel(wrap(built())), addresses_of(*values), stream=np.array([stream.handle], np.uint64))
    assert answer == (DONE,)
    assert y.read(np.float32, 3).tolist() == [0, 2, 0]
    assert {(each.stream, each.kind) for each in log} == {(stream.handle, "read"), (stream.handle, "write")}
    assert called == {"scale"}


def test_an_image_is_found_by_its_address_too(device):
    image = np.frombuffer(built(cubin=False), np.uint8)
    assert kernel(image.ctypes.data).kernel.source == SOURCE.decode()
    assert device.faults == []


def test_a_kernel_runs_by_values_and_their_ctypes(device):
    x, y = arrays(device)
    values = (driver.CUdeviceptr(x.address), y.address, 3.0, 3)
    types = (None, ctypes.c_void_p, ctypes.c_double, ctypes.c_int)
    with standing_in({"scale": scale}):
        checked(launched(kernel(), (values, types)))
    assert y.read(np.float32, 3).tolist() == [0, 3, 6]


def test_by_their_ctypes_pointers_of_an_unknown_kernel_are_bytes(device):
    x, y = arrays(device)
    seen = []
    with standing_in({"scale": lambda _, *given: seen.extend(given)}):
        function = kernel(b"// PTX of somebody else's")
        checked(launched(function, ((x.address, y.address, 2.0), (ctypes.c_void_p, None, ctypes.c_double))))
    assert [getattr(each, "shape", each) for each in seen] == [(12,), (12,), 2.0]


def test_without_a_source_addresses_of_arguments_tell_nothing(device):
    (x, _), function = arrays(device), kernel(b"// PTX of somebody else's")
    with standing_in({"scale": scale}), pytest.raises(NeedsGpu, match="unknown without its source, needs a GPU"):
        launched(function, addresses_of(np.array([x.address], np.uint64)))


def test_a_kernel_without_a_stand_in_says_what_to_write(device):
    x, y = arrays(device)
    with pytest.raises(NeedsStandIn, match=r"kernel of cuda-python 'scale' .*\(launch, x, y, factor, count\)$"):
        launched(kernel(), ((x.address, y.address, 1.0, 1), (None, None, ctypes.c_double, ctypes.c_int)))


def test_a_launch_of_nothing_is_refused_by_its_status():
    assert launched(kernel(), 0, threads=0) == (driver.CUresult.CUDA_ERROR_INVALID_VALUE,)


def test_memory_is_taken_filled_copied_and_given_back(device):
    address = checked(driver.cuMemAlloc(8))
    checked(driver.cuMemcpyHtoD(address, np.arange(2, dtype=np.float32), 8))
    other = checked(runtime.cudaMalloc(8))
    checked(driver.cuMemcpyDtoD(other, address, 8))
    got = np.zeros(2, np.float32)
    checked(runtime.cudaMemcpy(got, other, 8, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost))
    assert got.tolist() == [0, 1]
    checked(driver.cuMemsetD8(address, 255, 8))
    checked(driver.cuMemcpyDtoH(got, address, 8))
    assert np.isnan(got).all()
    assert device.plugin_bytes == 16
    checked(driver.cuMemFree(address))
    checked(runtime.cudaFree(other))
    assert device.plugin_bytes == 0


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (lambda: driver.cuMemAlloc(0), (driver.CUresult.CUDA_ERROR_INVALID_VALUE, None)),
        (lambda: driver.cuMemAlloc(1 << 60), (driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY, None)),
        (lambda: driver.cuMemFree(77), (driver.CUresult.CUDA_ERROR_INVALID_VALUE,)),
        (lambda: driver.cuStreamSynchronize(77), (driver.CUresult.CUDA_ERROR_INVALID_HANDLE,)),
        (lambda: driver.cuDeviceGet(7), (driver.CUresult.CUDA_ERROR_INVALID_DEVICE, None)),
        (lambda: runtime.cudaFree(77), (runtime.cudaError_t.cudaErrorInvalidValue,)),
        (lambda: driver.cuMemcpyHtoD(1, object(), 8), (driver.CUresult.CUDA_ERROR_INVALID_VALUE,)),
    ],
)
def test_what_cuda_refuses_is_told_by_the_status(answer, status):
    assert answer() == status


def test_streams_and_events_keep_the_order_of_work(device):
    first, second = (checked(driver.cuStreamCreate(1)) for _ in range(2))
    event, memory = checked(driver.cuEventCreate(0)), checked(driver.cuMemAlloc(8))
    with device.recording() as log:
        checked(driver.cuMemsetD8Async(memory, 1, 8, first))
        checked(driver.cuEventRecord(event, first))
        checked(driver.cuStreamWaitEvent(second, event, 0))
        checked(driver.cuMemsetD8Async(memory, 2, 8, second))
    assert log.races() == []
    checked(driver.cuStreamSynchronize(second))
    checked(driver.cuEventDestroy(event))
    checked(driver.cuStreamDestroy(first))


def test_the_device_and_its_context_are_there():
    checked(driver.cuInit(0))
    number = checked(driver.cuDeviceGet(0))
    context = checked(driver.cuCtxCreate(0, number))
    assert checked(driver.cuCtxGetCurrent()) == context
    kinds = runtime.cudaDeviceAttr
    capability = [
        checked(runtime.cudaDeviceGetAttribute(kind, 0))
        for kind in (kinds.cudaDevAttrComputeCapabilityMajor, kinds.cudaDevAttrComputeCapabilityMinor)
    ]
    assert capability == [8, 0]
    assert checked(driver.cuGetErrorName(driver.CUresult(400))) == b"CUDA_ERROR_INVALID_HANDLE"
    assert checked(nvrtc.nvrtcVersion()) == (13, 0)
    checked(driver.cuCtxDestroy(context))


def test_a_call_that_the_host_lacks_needs_a_gpu_and_no_other_name_exists():
    with pytest.raises(NeedsGpu, match=r"cuda\.bindings\.driver\.cuGraphCreate needs a GPU"):
        driver.cuGraphCreate(0)
    for module in (driver, runtime, nvrtc):
        with pytest.raises(AttributeError, match="no attribute 'custom'"):
            _ = module.custom
