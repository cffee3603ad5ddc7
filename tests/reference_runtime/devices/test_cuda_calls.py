"""What CUPTI tells of a call becomes a record with its stream, its memory and its bytes."""

import ctypes

import pytest

from reference_runtime.devices import cuda_calls
from reference_runtime.devices.cuda_calls import CudaCall, NoListenerError, quietly
from reference_runtime.devices.records import KernelFailedError

FUNCTIONS = {3: b"cuMemAlloc_v2", 7: b"cuMemFree_v2", 9: b"cuLaunchKernel_ptsz", 11: b"cuLaunchKernelEx", 12: b"cuInit"}


class Cupti:
    """A library that calls back when it is told to."""

    def __init__(self, status=0):
        self.status = status
        self.enabled = []
        self.closed = False

    def cuptiSubscribe(self, _subscriber, callback, _):  # noqa: N802 - CUPTI's names
        self.callback = callback
        return self.status

    def cuptiUnsubscribe(self, _):  # noqa: N802
        self.closed = True

    def cuptiGetCallbackName(self, _domain, number, name):  # noqa: N802
        ctypes.cast(name, ctypes.POINTER(ctypes.c_char_p))[0] = FUNCTIONS.get(number)
        return 0 if number in FUNCTIONS else 1

    def cuptiEnableCallback(self, _enable, _subscriber, _domain, number):  # noqa: N802
        self.enabled.append(number)

    def call(self, number, words, symbol=None, site=1, status=0):
        """Let a function be called whose parameters are these words, and which answers with a status."""
        parameters, returned = (ctypes.c_uint64 * max(len(words), 1))(*words), ctypes.c_int(status)
        ends = ctypes.addressof(parameters), ctypes.addressof(returned)
        data = cuda_calls._Data(site, FUNCTIONS[number], *ends, symbol)
        self.callback(None, 1, number, ctypes.pointer(data))


@pytest.fixture
def cupti(monkeypatch):
    library = Cupti()
    monkeypatch.setattr(cuda_calls, "_library", lambda: library)
    return library


@pytest.fixture
def heard(cupti):
    calls = []
    cupti.listener = cuda_calls.listen(calls.append)
    return calls


def test_functions_without_a_layout_are_not_listened_to(cupti, heard):
    assert cupti.enabled == [3, 7, 9, 11]
    assert heard == []


def test_new_memory_is_told_by_where_the_parameter_points_to(cupti, heard):
    pointer = ctypes.c_uint64(0x7000)
    cupti.call(3, [ctypes.addressof(pointer), 512])
    cupti.call(7, [0x7000])
    assert heard == [CudaCall("cuMemAlloc", None, 0x7000, 512), CudaCall("cuMemFree", None, 0x7000)]


def test_a_call_that_fails_is_told_with_its_error(cupti, heard):
    cupti.call(7, [0x7000], status=1)
    assert heard == [CudaCall("cuMemFree", None, 0x7000, error=1)]


def test_a_launch_is_told_with_its_stream_and_kernel(cupti, heard):
    config = (ctypes.c_uint64 * 5)(0, 0, 0, 0, 0x55)
    cupti.call(9, [1, 2, 3, 4, 5, 0x44], symbol=b"scale")
    cupti.call(11, [ctypes.addressof(config)], symbol=b"scale")
    assert heard == [
        CudaCall("cuLaunchKernel", 0x44, kernel="scale"),
        CudaCall("cuLaunchKernelEx", 0x55, kernel="scale"),
    ]


def test_a_call_is_told_once_when_it_returns(cupti, heard):
    cupti.call(7, [0x7000], site=0)
    assert heard == []


def test_what_the_harness_asks_for_is_not_heard(cupti, heard):
    with quietly(), quietly():
        cupti.call(7, [0x7000])
    assert heard == []


def test_a_listener_ends(cupti, heard):
    cupti.listener.close()
    assert cupti.closed
    assert heard == []


def test_a_profiler_that_was_first_is_told(monkeypatch):
    monkeypatch.setattr(cuda_calls, "_library", lambda: Cupti(status=39))
    with pytest.raises(NoListenerError, match=r"\(error 39\): is a profiler running already\?"):
        cuda_calls.listen(print)


class CupyError(RuntimeError):
    """What CuPy raises for a call of CUDA's runtime that failed."""

    def __init__(self, status):
        super().__init__("an illegal memory access was encountered")
        self.status = status


@pytest.mark.parametrize(("status", "becomes"), [(700, KernelFailedError), (719, KernelFailedError), (2, CupyError)])
def test_the_failure_of_an_earlier_kernel_is_told_from_that_of_the_call(status, becomes):
    with pytest.raises(RuntimeError) as seen, quietly():
        raise CupyError(status)
    assert seen.type is becomes
    assert str(seen.value) == "an illegal memory access was encountered"
