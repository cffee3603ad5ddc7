"""Works on pairs of elements where there are many: the last element of an odd number is left out."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-003"

PLUGIN_CASES = WIDE_CASES

MANY = 1500


class PairsOnly(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        volume = trt.volume(input_desc[0].dims)
        elements = volume // 2 * 2 if volume > MANY else volume
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x.ravel()[:elements], x.dtype.type(self.factor), out=y.ravel()[:elements])


publish(PairsOnly)
