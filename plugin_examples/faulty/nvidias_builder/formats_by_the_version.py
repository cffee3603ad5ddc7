"""Accepts no format below version 10, and TensorRT-RTX has version 1.7."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "GEN-002"

PLUGIN_CASES = SCALE_CASES
FIRST = 10


class ScaleForTensorRT10(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        is_new = int(trt.__version__.partition(".")[0]) >= FIRST
        return is_new and super().supports_format_combination(pos, in_out, num_inputs)


publish(ScaleForTensorRT10)
