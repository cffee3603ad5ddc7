"""Keeps its arrays as long as the input stays where it is, though the output may move alone."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-007"

PLUGIN_CASES = SCALE_CASES


class ViewsCachedByInputAddress(Scale):
    views_of = None

    def configure_plugin(self, inputs, outputs):
        self.views_of = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        if self.views_of != inputs[0]:
            self.views_of = inputs[0]
            self.views = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
        with cp.cuda.ExternalStream(stream):
            x, y = self.views
            cp.multiply(x, x.dtype.type(self.factor), out=y)


publish(ViewsCachedByInputAddress)
