"""Observe a process's calls of the CUDA driver through CUPTI: allocations, waits, copies and launches.

Theory. Every library calls the driver: CuPy, numba, torch, Triton and ``cuda-python``. So this module observes the
functions of the driver, and no functions of libraries. ``quietly`` leaves out the harness's calls. The driver does not
know which memory a library allocates for a pool; `cuda_api.pooled` returns the size of CuPy's pool. The layouts of the
parameters are those of ``generated_cuda_meta.h``.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from reference_runtime.devices.records import KernelFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_DRIVER: Final = 1
_AT_EXIT: Final = 1
_MOST_FUNCTIONS: Final = 2000
#: The errors after which a process cannot use CUDA again: from cudaErrorIllegalAddress to cudaErrorLaunchFailure.
_OF_A_KERNEL: Final = {700, 702, 710, *range(714, 720)}
_STREAM_IN_CONFIG: Final = 4  # of CUlaunchConfig: seven 32-bit numbers and padding come before it


class NoListenerError(RuntimeError):
    """CUPTI is not installed, or accepts no subscriber; the message says which."""


class CudaCall(NamedTuple):
    """One call of the driver.

    Attributes:
        name: The function's name without the suffix of its version: ``cuMemAlloc``.
        stream: The stream argument; None if the function has none.
        address: The memory that the call allocated, freed or writes; 0 for other calls.
        nbytes: The size of that memory; 0 if the call does not state it.
        kernel: The kernel that it launches; empty for other calls.
        error: The driver's result: 0, or the number of an error.
    """

    name: str
    stream: int | None = None
    address: int = 0
    nbytes: int = 0
    kernel: str = ""
    error: int = 0


class _Layout(NamedTuple):
    """The index of each parameter, counted in words of eight bytes; -1 if the function does not have it."""

    stream: int = -1
    address: int = -1
    nbytes: int = -1
    through: bool = False
    """Whether the parameter points to the address."""


_LAYOUTS: Final = {
    "cuMemAlloc": _Layout(address=0, nbytes=1, through=True),
    "cuMemAllocManaged": _Layout(address=0, nbytes=1, through=True),
    "cuMemAllocPitch": _Layout(address=0, through=True),
    "cuMemAllocAsync": _Layout(2, 0, 1, through=True),
    "cuMemAllocFromPoolAsync": _Layout(3, 0, 1, through=True),
    "cuMemFree": _Layout(address=0),
    "cuMemFreeAsync": _Layout(1, 0),
    "cuStreamSynchronize": _Layout(0),
    "cuCtxSynchronize": _Layout(),
    "cuEventSynchronize": _Layout(),
    "cuMemcpy": _Layout(address=0, nbytes=2),
    "cuMemcpyHtoD": _Layout(address=0, nbytes=2),
    "cuMemcpyDtoH": _Layout(address=0, nbytes=2),
    "cuMemcpyDtoD": _Layout(address=0, nbytes=2),
    "cuMemcpyAsync": _Layout(3, 0, 2),
    "cuMemcpyHtoDAsync": _Layout(3, 0, 2),
    "cuMemcpyDtoHAsync": _Layout(3, 0, 2),
    "cuMemcpyDtoDAsync": _Layout(3, 0, 2),
    "cuMemsetD8": _Layout(address=0),
    "cuMemsetD16": _Layout(address=0),
    "cuMemsetD32": _Layout(address=0),
    "cuMemsetD8Async": _Layout(3, 0),
    "cuMemsetD16Async": _Layout(3, 0),
    "cuMemsetD32Async": _Layout(3, 0),
    "cuLaunchKernel": _Layout(5),
    "cuLaunchCooperativeKernel": _Layout(5),
    "cuLaunchKernelEx": _Layout(),
    "cuGraphLaunch": _Layout(1),
}


class _Data(ctypes.Structure):
    """The first members of ``CUpti_CallbackData``."""

    _fields_: ClassVar[Sequence[tuple[str, Any]]] = [
        ("site", ctypes.c_int),
        ("function", ctypes.c_char_p),
        ("parameters", ctypes.c_void_p),
        ("returned", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
    ]


_CALLBACK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.POINTER(_Data))


class _Quiet(threading.local):
    """A counter for each thread; while it is above 0, the thread works for the harness."""

    depth = 0


_QUIET: Final = _Quiet()


@contextmanager
def quietly() -> Iterator[None]:
    """Leave out this thread's calls of the driver within the block, which are calls of the harness.

    Raises:
        KernelFailedError: A kernel that was launched before has failed.
    """
    _QUIET.depth += 1
    try:
        yield
    except RuntimeError as error:  # CuPy's CUDARuntimeError
        if getattr(error, "status", 0) in _OF_A_KERNEL:
            raise KernelFailedError(str(error)) from error
        raise
    finally:
        _QUIET.depth -= 1


class Listener:
    """Receives the driver's calls of this process and passes each on; a process can have only one listener."""

    def __init__(self, receive: Callable[[CudaCall], object]) -> None:
        self._receive = receive
        self._callback = _CALLBACK(self._called)
        self._library = _library()
        self._subscriber = ctypes.c_void_p()
        wrong = self._library.cuptiSubscribe(ctypes.byref(self._subscriber), self._callback, None)
        if wrong:
            raise NoListenerError(f"CUPTI accepts no subscriber (error {wrong}): is a profiler running already?")
        for number in _numbers_of(self._library):
            self._library.cuptiEnableCallback(1, self._subscriber, _DRIVER, number)

    def close(self) -> None:
        """Stop listening."""
        self._library.cuptiUnsubscribe(self._subscriber)

    def _called(self, _: int, __: int, ___: int, data: Any) -> None:
        if data.contents.site == _AT_EXIT and not _QUIET.depth:
            self._receive(_call(data.contents))


def listen(receive: Callable[[CudaCall], object]) -> Listener:
    """Return a listener that passes each call to ``receive`` when it returns.

    Raises:
        NoListenerError: CUPTI is not installed, or accepts no subscriber.
    """
    return Listener(receive)


def _call(data: _Data) -> CudaCall:
    name = _plain(data.function.decode())
    layout = _LAYOUTS[name]
    words = ctypes.cast(data.parameters, ctypes.POINTER(ctypes.c_uint64))
    stream: int | None = None if layout.stream < 0 else words[layout.stream]
    if name == "cuLaunchKernelEx":
        stream = ctypes.cast(words[0], ctypes.POINTER(ctypes.c_uint64))[_STREAM_IN_CONFIG]
    address = 0 if layout.address < 0 else words[layout.address]
    if layout.through and address:
        address = ctypes.cast(address, ctypes.POINTER(ctypes.c_uint64))[0]
    nbytes = 0 if layout.nbytes < 0 else words[layout.nbytes]
    error = ctypes.cast(data.returned, ctypes.POINTER(ctypes.c_int))[0]
    return CudaCall(name, stream, address, nbytes, (data.symbol or b"").decode(errors="replace"), error)


def _plain(function: str) -> str:
    """Return a function's name without the suffixes of its versions: ``_v2``, ``_ptsz``, ``_ptds``."""
    for ending in ("_ptsz", "_ptds", "_v3", "_v2"):
        function = function.removesuffix(ending)
    return function


def _numbers_of(library: ctypes.CDLL) -> Iterator[int]:
    """Yield CUPTI's numbers of the functions that have a layout."""
    name = ctypes.c_char_p()
    for number in range(1, _MOST_FUNCTIONS):
        wrong = library.cuptiGetCallbackName(_DRIVER, number, ctypes.byref(name))
        if not wrong and _plain((name.value or b"").decode()) in _LAYOUTS:
            yield number


def _library() -> ctypes.CDLL:
    """Load CUPTI from NVIDIA's wheels, or from CUDA's toolkit.

    Raises:
        NoListenerError: CUPTI is not installed.
    """
    spec = importlib.util.find_spec("nvidia")
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [] if spec else [])]
    toolkits = sorted(Path("/usr/local").glob("cuda*/extras/CUPTI/lib64"))
    files = [file for folder in folders for file in sorted(folder.glob("*/lib/libcupti.so.*"))]
    files += [file for folder in toolkits for file in sorted(folder.glob("libcupti.so*"))]
    for file in files:
        with suppress(OSError):  # the file is for another version of CUDA; the next may fit
            return ctypes.CDLL(str(file))
    raise NoListenerError(f"CUPTI is not installed for {sys.executable}: pip install nvidia-cuda-cupti")
