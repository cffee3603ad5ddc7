"""A sound plugin for witnesses to build upon: ``y = factor * x`` by way of a copy of ``x`` in the workspace.

It registers nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, device_array


class ScratchScale(Scale):
    def get_workspace_size(self, input_desc, output_desc):
        return nbytes(input_desc[0])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            self.compute(x, y, device_array(input_desc[0], workspace))

    def compute(self, x, y, scratch):
        scratch[...] = x
        cp.multiply(scratch, x.dtype.type(self.factor), out=y)


def nbytes(desc):
    return max(trt.volume(desc.dims), 0) * np.dtype(trt.nptype(desc.type)).itemsize
