"""Keeps its configuration in a dict that its clones share, because they are shallow copies."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "CLN-007"

PLUGIN_CASES = SCALE_CASES


class ClonesShareADict(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.launch = {}

    def configure_plugin(self, inputs, outputs):
        self.launch["count"] = trt.volume(inputs[0].desc.dims)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            count = self.launch["count"]
            cp.multiply(x.ravel()[:count], x.dtype.type(self.factor), out=y.ravel()[:count])

    def clone(self):
        other = super().clone()
        other.__dict__.update(self.__dict__)
        return other


publish(ClonesShareADict)
