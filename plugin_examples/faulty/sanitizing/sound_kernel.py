"""A sound plugin for witnesses to build upon: ``y = factor * x`` by a kernel in CUDA C++, FP32, linear.

It registers nothing when it is imported; a witness gives it another kernel and calls ``publish``.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale

THREADS = 256

#: The cases of the plugin, with a width that no power of two divides.
KERNEL_CASES = [
    {
        **SCALE_CASES[0],
        "name": "rows",
        "inputs": [{"dims": ("N", 10), "min": (1, 10), "opt": (8, 10), "max": (100, 10)}],
    }
]


def compiled(body):
    """Return the kernel with this body; ``i`` is the element, ``t`` the thread of the block."""
    return cp.RawKernel(
        rf"""
        extern "C" __global__ void scale(const float* x, float* y, float factor, int count, float zero) {{
            int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
            {body}
        }}
        """,
        "scale",
    )


class KernelScale(Scale):
    kernel = compiled("if (i < count) y[i] = factor * x[i];")

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        return desc.format == trt.TensorFormat.LINEAR and desc.type == trt.DataType.FLOAT

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = trt.volume(input_desc[0].dims)
        if count == 0:
            return
        given = (np.uint64(inputs[0]), np.uint64(outputs[0]), np.float32(self.factor), np.int32(count), np.float32(0))
        with cp.cuda.ExternalStream(stream):
            self.kernel((-(-count // THREADS),), (THREADS,), given)
