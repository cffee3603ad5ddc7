"""Was moved to ``IPluginV3``, and still reads type and format from the entry itself, which has them behind ``desc``."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, TYPES, Scale, publish

BREAKS = "FMT-015"
ALSO = {"FMT-006": "the AttributeError is an exception, but the plugin should return False"}

PLUGIN_CASES = SCALE_CASES


class ReadWithoutDesc(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format != trt.TensorFormat.LINEAR:
            return False
        return here.type in TYPES if pos == 0 else here.type == in_out[0].type


publish(ReadWithoutDesc)
