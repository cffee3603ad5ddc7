"""Frees its scratch memory in the default stream, while the given stream may still be at work in it."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-003"
ALSO = {"WSP-010": "the memory that enqueue frees, it also allocates"}

PLUGIN_CASES = SCALE_CASES
DEFAULT_STREAM = 0


class FreedWhileInUse(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            address = cp.cuda.runtime.mallocAsync(x.nbytes, stream)
            scratch = device_array(input_desc[0], address)
            cp.multiply(x, x.dtype.type(self.factor), out=scratch)
            y[...] = scratch
            cp.cuda.runtime.freeAsync(address, DEFAULT_STREAM)


publish(FreedWhileInUse)
