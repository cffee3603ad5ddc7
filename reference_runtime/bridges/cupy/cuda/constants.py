"""The constants of ``cupy.cuda.runtime`` in CuPy 14.2 that have a meaning on the host device."""

from __future__ import annotations

from typing import Final

CUDA_R_16F: Final = 2
CUDA_R_32F: Final = 0
CUDA_R_64F: Final = 1
CUDA_R_8I: Final = 3
CUDA_R_8U: Final = 8
CUDA_R_16BF: Final = 14

memcpyHostToHost: Final = 0
memcpyHostToDevice: Final = 1
memcpyDeviceToHost: Final = 2
memcpyDeviceToDevice: Final = 3
memcpyDefault: Final = 4

memoryTypeUnregistered: Final = 0
memoryTypeHost: Final = 1
memoryTypeDevice: Final = 2
memoryTypeManaged: Final = 3

streamDefault: Final = 0
streamNonBlocking: Final = 1
streamLegacy: Final = 1
streamPerThread: Final = 2

eventDefault: Final = 0
eventBlockingSync: Final = 1
eventDisableTiming: Final = 2
eventInterprocess: Final = 4

hostAllocDefault: Final = 0
hostAllocPortable: Final = 1
hostAllocMapped: Final = 2
hostAllocWriteCombined: Final = 4

cudaMemAttachGlobal: Final = 1
cudaMemAttachHost: Final = 2
cudaMemAttachSingle: Final = 4

cudaDevAttrMaxThreadsPerBlock: Final = 1
cudaDevAttrMaxSharedMemoryPerBlock: Final = 8
cudaDevAttrWarpSize: Final = 10
cudaDevAttrMultiProcessorCount: Final = 16
