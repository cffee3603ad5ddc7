"""Takes FP16 at pos 0 unless the output, which is not described yet, is INT8."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-001"

PLUGIN_CASES = SCALE_CASES


class PeeksAheadOfHalf(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == 0 and in_out[0].type == trt.DataType.HALF and in_out[1].type == trt.DataType.INT8:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(PeeksAheadOfHalf)
