"""Fills a cache of all objects without a lock: two threads may make the same plan, and either may stay."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

LOOKS_LIKE = "FUZ-010"

PLUGIN_CASES = SCALE_CASES


PLANS = {}


class PlansForAll(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape = tuple(input_desc[0].dims)
        if trt.volume(shape) == 0:
            return
        if shape not in PLANS:
            PLANS[shape] = range(shape[0])
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            for row in PLANS[shape]:
                cp.multiply(x[row], x.dtype.type(self.factor), out=y[row])


publish(PlansForAll)
