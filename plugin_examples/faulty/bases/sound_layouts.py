"""A sound plugin for witnesses to build upon: ``y = factor * x`` for images in several layouts.

FP32 may be linear or HWC, FP16 linear or HWC8, input and output each its own; the kernel gets strides. It registers
nothing when it is imported.
"""

import math

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, reference

VECTOR = 8
FORMATS = {
    trt.DataType.FLOAT: (trt.TensorFormat.LINEAR, trt.TensorFormat.HWC),
    trt.DataType.HALF: (trt.TensorFormat.LINEAR, trt.TensorFormat.HWC8),
}


class Layouts(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format in FORMATS.get(here.type, ()) and here.type == in_out[0].type

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = self.elements(input_desc[0], inputs[0]), self.elements(output_desc[0], outputs[0])
            self.compute(x, y)

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.factor), out=y)

    def elements(self, desc, address):
        """Return the elements of a tensor in the order of its dimensions, for every layout."""
        dtype = np.dtype(trt.nptype(desc.type))
        images, channels, height, width = desc.dims
        if desc.format == trt.TensorFormat.HWC8:
            channels = -(-channels // VECTOR) * VECTOR
        count = math.prod((images, channels, height, width))
        memory = cp.cuda.UnownedMemory(address, count * dtype.itemsize, None)
        strides = [dtype.itemsize * step for step in self.steps(desc.format, channels, height, width)]
        return cp.ndarray(tuple(desc.dims), dtype, memptr=cp.cuda.MemoryPointer(memory, 0), strides=strides)

    def steps(self, layout, channels, height, width):
        """Return the distance of neighbours along each axis, in elements."""
        image = channels * height * width
        if layout == trt.TensorFormat.LINEAR:
            return image, height * width, width, 1
        return image, 1, width * channels, channels


IMAGE = {
    "dims": ("N", "C", "H", "W"),
    "min": (1, 8, 4, 4),
    "opt": (2, 16, 8, 8),
    "max": (4, 32, 16, 16),
    "types": ("float32", "float16"),
}
LAYOUTS_CASES = [
    {
        "plugin": "Scale",
        "name": "images",
        "fields": {"factor": np.array([1.5], np.float32)},
        "inputs": [IMAGE],
        "reference": reference,
    }
]
