"""Numba's CUDA simulator on the memory and the streams of the host device.

The simulator runs a kernel thread by thread, in Python, on NumPy arrays. It knows no streams and no memory of other
libraries, so `adapt` adds both. An object with ``__cuda_array_interface__`` is found on the host device, with its
bounds. A launch is work on its stream. Arrays that the simulator allocates stay NumPy's, and are not checked.
"""

from __future__ import annotations

import contextlib
import importlib
import threading
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.bridges.cupy.waiting import wait_for
from reference_runtime.bridges.interfaces import memory_of
from reference_runtime.bridges.launches import Memory, launched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

__all__ = ["Stream", "adapt"]

_ONE_AT_A_TIME: Final = threading.RLock()  # the simulator has no more


class Stream:
    """A stream with Numba's methods."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __int__(self) -> int:
        return self.handle

    def synchronize(self) -> None:
        """Wait for all work on the stream."""
        runtime.streamSynchronize(self.handle)

    @contextlib.contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Wait for the stream at the end."""
        yield self
        self.synchronize()


def adapt(cuda: ModuleType) -> None:
    """Let ``numba.cuda``, just imported, work on the host device; without its simulator it stays unchanged."""
    if not importlib.import_module("numba.core.config").ENABLE_CUDASIM:
        return
    simulator = importlib.import_module("numba.cuda.simulator.kernel")
    api = importlib.import_module("numba.cuda.simulator.kernelapi")
    arrays = importlib.import_module("numba.cuda.simulator.cudadrv.devicearray")
    configured = simulator.FakeCUDAKernel.__getitem__
    simulator.FakeCUDAKernel.__getitem__ = lambda kernel, given: _Launcher(kernel, configured, given, arrays)
    # while a kernel runs, its module sees this in place of ``numba.cuda``: in other threads, too
    api.FakeCUDAModule.__getattr__ = lambda _, name: getattr(cuda, name)
    for name, offered in _offers(arrays).items():
        setattr(cuda, name, offered)


class _Launcher:
    """A kernel with its grid, its block and its stream."""

    def __init__(self, kernel: Any, configured: Callable[..., Any], given: tuple[Any, ...], arrays: ModuleType) -> None:
        self._kernel, self._configured, self._given = kernel, configured, given
        self._arrays = arrays
        self._stream = int(given[2]) if len(given) > 2 and given[2] is not None else 0  # noqa: PLR2004 - grid and block

    def __call__(self, *arguments: Any) -> None:
        """Run the kernel as work on the stream."""
        found = [_found(each) for each in arguments]
        memories = [each for each in found if isinstance(each, Memory)]
        fake = self._arrays.FakeCUDAArray
        with _ONE_AT_A_TIME, launched(memories, self._stream, "Numba's simulator"):
            kernel = self._configured(self._kernel, self._given)
            kernel(*(fake(each.elements) if isinstance(each, Memory) else each for each in found))


class _Float(float):
    """A number for a kernel: if an integer is needed, as in ``range``, Numba converts it."""

    def __index__(self) -> int:
        return int(self)


def _found(argument: Any) -> Any:
    """Return an argument of a kernel, as `Memory` if it is on the host device."""
    if isinstance(getattr(argument, "on_device", None), Memory):
        return argument.on_device
    if isinstance(argument, float):
        return _Float(argument)
    interface = getattr(argument, "__cuda_array_interface__", None)
    return argument if interface is None else _waited_for(interface)


def _waited_for(interface: dict[str, Any]) -> Memory:
    """Return the memory of an interface. If it names a stream, Numba waits for that stream, as on a GPU."""
    wait_for(interface)
    return memory_of(interface)


def _offers(arrays: ModuleType) -> dict[str, Any]:
    """Return the members of ``numba.cuda`` that replace or extend the simulator's."""

    def from_cuda_array_interface(desc: dict[str, Any], owner: Any = None, sync: bool = True) -> Any:
        memory = _waited_for(desc) if sync else memory_of(desc)
        array = arrays.FakeCUDAArray(memory.elements)
        array.on_device = memory
        array.owner = owner
        return array

    def as_cuda_array(obj: Any, sync: bool = True) -> Any:
        return from_cuda_array_interface(obj.__cuda_array_interface__, obj, sync)

    return {
        "from_cuda_array_interface": from_cuda_array_interface,
        "as_cuda_array": as_cuda_array,
        "is_cuda_array": lambda obj: hasattr(obj, "__cuda_array_interface__"),
        "stream": lambda: Stream(runtime.streamCreate()),
        "external_stream": lambda ptr: Stream(int(ptr)),
        "default_stream": lambda: Stream(0),
        "legacy_default_stream": lambda: Stream(0),
        "synchronize": runtime.deviceSynchronize,
    }
