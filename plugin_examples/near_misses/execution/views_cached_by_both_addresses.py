"""Keeps its arrays as long as both addresses and the shape stay as they are."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, device_array, publish

LOOKS_LIKE = "ENQ-007"

PLUGIN_CASES = SCALE_CASES


class ViewsByBothAddresses(Scale):
    views_of = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        key = inputs[0], outputs[0], tuple(input_desc[0].dims), input_desc[0].type
        if self.views_of != key:
            self.views_of = key
            self.views = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
        with cp.cuda.ExternalStream(stream):
            self.compute(*self.views)


publish(ViewsByBothAddresses)
