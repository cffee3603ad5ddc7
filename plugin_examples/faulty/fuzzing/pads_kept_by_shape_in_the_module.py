"""Keeps a scratch pad for each shape in a table of the module. Two contexts with the same shape share it."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FUZ-010"
ALSO = {"FUZ-009": "contexts on different streams meet in the same table"}

PLUGIN_CASES = SCALE_CASES


PADS = {}


class PadsInTheModule(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            pad = PADS.get((x.shape, x.dtype))
            if pad is None:
                pad = PADS[x.shape, x.dtype] = cp.empty(x.shape, x.dtype)
            cp.multiply(x, x.dtype.type(self.factor), out=pad)
            y[...] = pad


publish(PadsInTheModule)
