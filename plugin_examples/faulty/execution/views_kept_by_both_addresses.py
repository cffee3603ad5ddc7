"""Keeps its arrays by both addresses, and misses that another shape is there now."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-007"

PLUGIN_CASES = SCALE_CASES


class ViewsKeptByBothAddresses(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.views = {}

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        key = inputs[0], outputs[0], input_desc[0].type
        if key not in self.views:
            self.views[key] = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
        with cp.cuda.ExternalStream(stream):
            x, y = self.views[key]
            cp.multiply(x, x.dtype.type(self.factor), out=y)


publish(ViewsKeptByBothAddresses)
