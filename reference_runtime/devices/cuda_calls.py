"""A process's calls of the CUDA driver, as CUPTI reports them: memory, waits, copies and launches.

Theory. Every library calls the driver: CuPy, numba, torch, Triton and ``cuda-python``. So this module listens to the
driver's functions, and to no library's own. ``quietly`` leaves out the harness's calls. The driver does not see which
memory a library takes for its own pool; CuPy's pool reports it through ``pooled``. The layouts of the parameters are
those of ``generated_cuda_meta.h``.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_DRIVER: Final = 1
_AT_EXIT: Final = 1
_MOST_FUNCTIONS: Final = 2000
_STREAM_IN_CONFIG: Final = 4  # of CUlaunchConfig: seven 32-bit numbers and padding come before it


class NoListenerError(RuntimeError):
    """CUPTI is not here or refuses; the argument says which."""


class CudaCall(NamedTuple):
    """One call of the driver.

    Attributes:
        name: The function's, without the version behind it: ``cuMemAlloc``.
        stream: The stream argument; None without one.
        address: The memory that it got or freed, or that it writes; 0 without one.
        nbytes: The size of that memory.
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
    """The index of each parameter, counted in words of eight bytes; -1 for none."""

    stream: int = -1
    address: int = -1
    nbytes: int = -1
    through: bool = False
    """Whether the address is where the parameter points to."""


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
    """``CUpti_CallbackData``, as far as it is read."""

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
    """Hide this thread's calls of the driver."""
    _QUIET.depth += 1
    try:
        yield
    finally:
        _QUIET.depth -= 1


class Listener:
    """Receives the calls of this process and passes each on; there can be one in a process."""

    def __init__(self, hear: Callable[[CudaCall], object]) -> None:
        self._hear = hear
        self._callback = _CALLBACK(self._called)
        self._library = _library()
        self._subscriber = ctypes.c_void_p()
        wrong = self._library.cuptiSubscribe(ctypes.byref(self._subscriber), self._callback, None)
        if wrong:
            raise NoListenerError(f"CUPTI cannot be subscribed to (error {wrong}): does a profiler run already?")
        for number in _numbers_of(self._library):
            self._library.cuptiEnableCallback(1, self._subscriber, _DRIVER, number)

    def close(self) -> None:
        """Stop listening."""
        self._library.cuptiUnsubscribe(self._subscriber)

    def _called(self, _: int, __: int, ___: int, data: Any) -> None:
        if data.contents.site == _AT_EXIT and not _QUIET.depth:
            self._hear(_call(data.contents))


def listen(hear: Callable[[CudaCall], object]) -> Listener:
    """Return a listener that passes each call to ``hear`` when it returns.

    Raises:
        NoListenerError: CUPTI is missing or refuses.
    """
    return Listener(hear)


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
    """Return CUPTI: of NVIDIA's wheels, or of the toolkit.

    Raises:
        NoListenerError: It is in none of these places.
    """
    spec = importlib.util.find_spec("nvidia")
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [] if spec else [])]
    toolkits = sorted(Path("/usr/local").glob("cuda*/extras/CUPTI/lib64"))
    found = [*(file for folder in folders for file in sorted(folder.glob("*/lib/libcupti.so.*")))]
    found += [file for folder in toolkits for file in sorted(folder.glob("libcupti.so*"))]
    for file in found:
        with suppress(OSError):  # of another CUDA: there may be a fitting one
            return ctypes.CDLL(str(file))
    raise NoListenerError(f"CUPTI is not installed for {sys.executable}: pip install nvidia-cuda-cupti")
