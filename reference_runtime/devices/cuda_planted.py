"""Launch kernels with defects that Compute Sanitizer must find, to prove that it works on this machine."""

from __future__ import annotations

import importlib
from typing import Final

import numpy as np

from reference_runtime.devices.cuda_api import runtime

#: The name of each kernel.
KERNEL: Final = "trt_conformance_canary"
_NBYTES: Final = 256
_THREADS: Final = 64
_BODIES: Final = {
    "memcheck": "if (threadIdx.x == 0) memory[0] = memory[64];",
    "initcheck": "if (threadIdx.x == 0) memory[0] = memory[1];",
    "racecheck": "__shared__ float s[64]; s[threadIdx.x] = threadIdx.x; memory[threadIdx.x] = s[63 - threadIdx.x];",
    "synccheck": "if (threadIdx.x < 16) __syncwarp(0xff); memory[threadIdx.x] = 1.0f;",
}


def plant(tool: str) -> None:
    """Launch the kernel with the defect that a tool of the sanitizer must find, and wait for it."""
    cupy = importlib.import_module("cupy")
    source = f'extern "C" __global__ void {KERNEL}(float* memory) {{ {_BODIES[tool]} }}'
    kernel = cupy.RawKernel(source, KERNEL)
    kernel((1,), (_THREADS,), (np.uint64(runtime().malloc(_NBYTES)),))
    runtime().deviceSynchronize()
