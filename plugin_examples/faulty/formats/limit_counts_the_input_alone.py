"""Takes any type of output beside each type of input, and its limit counts the types of the input."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, TYPES, Scale, publish

BREAKS = "FMT-013"

PLUGIN_CASES = SCALE_CASES


class LimitCountsTheInputAlone(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.format_combination_limit = len(TYPES)

    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].desc.format == trt.TensorFormat.LINEAR and in_out[pos].desc.type in TYPES

    def compute(self, x, y):
        y[...] = x * x.dtype.type(self.factor)


publish(LimitCountsTheInputAlone)
