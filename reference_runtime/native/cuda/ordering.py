"""Order work on the host device for C++: CUDA's functions for streams, events and synchronization."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.native.cuda.calls import store
from reference_runtime.native.exchange.misuses import MisuseError, note


def _reset() -> None:
    """Report the reset as a misuse. A failed assertion in NVIDIA's plugins resets the device, then ends the process."""
    note(MisuseError("cudaDeviceReset was called, which destroys all that the process has on the device"))
    runtime.deviceSynchronize()


FUNCTIONS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "cudaStreamCreate": ("ip", lambda where: store(where, runtime.streamCreate())),
    "cudaStreamCreateWithFlags": ("ipu", lambda where, flags: store(where, runtime.streamCreateWithFlags(flags))),
    "cudaStreamCreateWithPriority": (
        "ipui",
        lambda where, flags, _: store(where, runtime.streamCreateWithFlags(flags)),
    ),
    "cudaStreamDestroy": ("ip", runtime.streamDestroy),
    "cudaStreamSynchronize": ("ip", runtime.streamSynchronize),
    "cudaStreamQuery": ("ip", lambda stream: runtime.streamQuery(stream) and None),
    "cudaStreamWaitEvent": ("ippu", runtime.streamWaitEvent),
    "cudaStreamIsCapturing": ("ipp", lambda _, where: store(where, 0, ctypes.c_int)),
    "cudaDeviceSynchronize": ("i", runtime.deviceSynchronize),
    "cudaDeviceReset": ("i", _reset),
    "cudaEventCreate": ("ip", lambda where: store(where, runtime.eventCreate())),
    "cudaEventCreateWithFlags": ("ipu", lambda where, flags: store(where, runtime.eventCreateWithFlags(flags))),
    "cudaEventDestroy": ("ip", runtime.eventDestroy),
    "cudaEventRecord": ("ipp", runtime.eventRecord),
    "cudaEventSynchronize": ("ip", runtime.eventSynchronize),
    "cudaEventElapsedTime": (
        "ippp",
        lambda where, start, end: store(where, runtime.eventElapsedTime(start, end), ctypes.c_float),
    ),
}
