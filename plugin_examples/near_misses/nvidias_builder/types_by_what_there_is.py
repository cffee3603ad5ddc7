"""Accepts HALF where TensorRT has that type; the version does not matter."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, TYPES, Scale, publish

LOOKS_LIKE = "GEN-002"

PLUGIN_CASES = SCALE_CASES


class ScaleOfWhatThereIs(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        known = TYPES if hasattr(trt.DataType, "HALF") else TYPES[:1]
        if here.format != trt.TensorFormat.LINEAR:
            return False
        return here.type in known if pos == 0 else here.type == in_out[0].desc.type


publish(ScaleOfWhatThereIs)
