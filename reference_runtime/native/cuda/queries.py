"""Answer queries about the host device, and about its last error."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.native.cuda.calls import last_error, store, take_last_error

#: Attributes by CUDA's numbers: limits of a block and a processor, the size of a warp, compute capability 9.0.
_ATTRIBUTES: Final = {1: 1024, 8: 49152, 10: 32, 16: 1, 39: 2048, 75: 9, 76: 0, 81: 49152, 97: 49152}
_SAME_BYTES: Final = 392
_INT: Final = ctypes.c_int
#: Members of ``cudaDeviceProp`` by their places: memory, shared memory, registers, warp, threads, block, grid,
#: constants, compute capability. The last two are the number of processors and a flag, in an order that depends on the
#: version. The flag says whether work overlaps (to CUDA 12), or whether the device is integrated (CUDA 13).
_PROPERTIES: Final[dict[int, tuple[Any, int]]] = {
    288: (ctypes.c_size_t, 1 << 36), 296: (ctypes.c_size_t, 49152), 304: (_INT, 65536), 308: (_INT, 32),
    320: (_INT, 1024), 324: (_INT, 1024), 328: (_INT, 1024), 332: (_INT, 64),
    336: (_INT, 2**31 - 1), 340: (_INT, 65535), 344: (_INT, 65535), 352: (ctypes.c_size_t, 65536),
    360: (_INT, 9), 364: (_INT, 0), 384: (_INT, 1), 388: (_INT, 1),
}  # fmt: skip
_ERROR: Final = ctypes.create_string_buffer(b"an error of the host device")


def _attribute(where: int, attribute: int, device: int) -> None:
    runtime.setDevice(device)
    store(where, _ATTRIBUTES.get(attribute, 0), ctypes.c_int)


def _properties(where: int, device: int) -> None:
    """Write the first part of ``cudaDeviceProp``, whose members are in the same places in CUDA 10 to 13.

    The rest is left unchanged, because the places in it depend on the version.
    """
    runtime.setDevice(device)
    ctypes.memset(where, 0, _SAME_BYTES)
    ctypes.memmove(where, b"host device\0", 12)
    for offset, (kind, value) in _PROPERTIES.items():
        kind.from_address(where + offset).value = value


FUNCTIONS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "cudaGetDevice": ("ip", lambda where: store(where, runtime.getDevice(), ctypes.c_int)),
    "cudaSetDevice": ("ii", runtime.setDevice),
    "cudaGetDeviceCount": ("ip", lambda where: store(where, runtime.getDeviceCount(), ctypes.c_int)),
    "cudaDeviceGetAttribute": ("ipii", _attribute),
    "cudaGetDeviceProperties": ("ipi", _properties),
    "cudaGetDeviceProperties_v2": ("ipi", _properties),
    "cudaRuntimeGetVersion": ("ip", lambda where: store(where, runtime.runtimeGetVersion(), ctypes.c_int)),
    "cudaDriverGetVersion": ("ip", lambda where: store(where, runtime.driverGetVersion(), ctypes.c_int)),
    "cudaGetLastError": ("i", take_last_error),
    "cudaPeekAtLastError": ("i", last_error),
    "cudaGetErrorString": ("pi", lambda _: ctypes.addressof(_ERROR)),
    "cudaGetErrorName": ("pi", lambda _: ctypes.addressof(_ERROR)),
}
