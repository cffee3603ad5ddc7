"""Takes HWC8 for its output in half precision, and writes it as if it were linear."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FMT-012"

PLUGIN_CASES = SCALE_CASES
AXES = 2  # beside channels


class OutputLayoutIgnored(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        if pos == 1 and here.format == trt.TensorFormat.HWC8 and len(here.dims) > AXES:
            return here.type == trt.DataType.HALF and in_out[0].desc.type == here.type
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(OutputLayoutIgnored)
