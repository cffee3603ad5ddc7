"""Asks the stream whether it is idle to choose between two kernels: CUDA does not answer while it captures."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-014"

PLUGIN_CASES = SCALE_CASES


class AsksTheStream(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream) as current:
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            if current.done:
                cp.multiply(x, x.dtype.type(self.factor), out=y)
            else:
                y[...] = x * x.dtype.type(self.factor)


publish(AsksTheStream)
