"""Make Numba's CUDA simulator use the memory and the streams of the host device.

The simulator runs a kernel thread by thread, in Python, on NumPy arrays. It has no streams, and cannot use memory of
other libraries, so `adapt` adds both. An object with ``__cuda_array_interface__`` is memory of the host device, whose
bounds are checked. A launch is work on its stream. Arrays that the simulator allocates are NumPy arrays without checks.
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

_ONE_AT_A_TIME: Final = threading.RLock()  # the simulator runs one kernel at a time


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
        """Wait for the stream at the end of the block."""
        yield self
        self.synchronize()


def adapt(cuda: ModuleType) -> None:
    """Make ``numba.cuda``, just imported, use the host device; do nothing if its simulator is not enabled."""
    if not importlib.import_module("numba.core.config").ENABLE_CUDASIM:
        return
    simulator = importlib.import_module("numba.cuda.simulator.kernel")
    api = importlib.import_module("numba.cuda.simulator.kernelapi")
    arrays = importlib.import_module("numba.cuda.simulator.cudadrv.devicearray")
    configured = simulator.FakeCUDAKernel.__getitem__
    simulator.FakeCUDAKernel.__getitem__ = lambda kernel, settings: _Launcher(kernel, configured, settings, arrays)
    # while a kernel runs, its module has this object in place of ``numba.cuda``, also for other threads
    api.FakeCUDAModule.__getattr__ = lambda _, name: getattr(cuda, name)
    for name, offered in _offers(arrays).items():
        setattr(cuda, name, offered)


class _Launcher:
    """A kernel with its grid, its block and its stream."""

    def __init__(
        self, kernel: Any, configured: Callable[..., Any], settings: tuple[Any, ...], arrays: ModuleType
    ) -> None:
        self._kernel, self._configured, self._settings = kernel, configured, settings
        self._arrays = arrays
        has_stream = len(settings) > 2 and settings[2] is not None  # noqa: PLR2004 - grid and block come first
        self._stream = int(settings[2]) if has_stream else 0

    def __call__(self, *arguments: Any) -> None:
        """Run the kernel as work on the stream."""
        values = [_on_device(each) for each in arguments]
        memories = [each for each in values if isinstance(each, Memory)]
        fake = self._arrays.FakeCUDAArray
        with _ONE_AT_A_TIME, launched(memories, self._stream, "Numba's simulator"):
            kernel = self._configured(self._kernel, self._settings)
            kernel(*(fake(each.elements) if isinstance(each, Memory) else each for each in values))


class _Float(float):
    """A float argument of a kernel. Numba converts it where an integer is needed, as in ``range``."""

    def __index__(self) -> int:
        return int(self)


def _on_device(argument: Any) -> Any:
    """Return an argument of a kernel; an array on the host device becomes a `Memory`."""
    if isinstance(getattr(argument, "on_device", None), Memory):
        return argument.on_device
    if isinstance(argument, float):
        return _Float(argument)
    interface = getattr(argument, "__cuda_array_interface__", None)
    return argument if interface is None else _waited_for(interface)


def _waited_for(interface: dict[str, Any]) -> Memory:
    """Return the memory of an interface. If the interface names a stream, the host waits for it, as with a GPU."""
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
