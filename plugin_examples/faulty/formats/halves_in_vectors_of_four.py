"""Takes HALF in CHW4 as well, and computes as if it were linear."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FMT-012"

PLUGIN_CASES = SCALE_CASES
LEAST_RANK = 3


class VectorsOfFour(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here, first = in_out[pos].desc, in_out[0].desc
        if here.format == trt.TensorFormat.CHW4:
            exists = here.type == trt.DataType.HALF and len(here.dims) >= LEAST_RANK
            return exists and first.format == here.format
        return super().supports_format_combination(pos, in_out, num_inputs) and first.format == here.format


publish(VectorsOfFour)
