"""Takes FP16 inputs, and then refuses every output that could go with them."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-007"

PLUGIN_CASES = SCALE_CASES


class NoOutputForHalf(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == 1 and in_out[1].type != trt.DataType.FLOAT:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(NoOutputForHalf)
