"""Reads ``.desc``, which the descriptors of an ``IPluginV3`` have, in the branch for FP16."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-015"
ALSO = {"FMT-006": "the AttributeError is an exception, but the plugin should return False"}

PLUGIN_CASES = SCALE_CASES


class ReadBehindDesc(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if in_out[pos].type == trt.DataType.HALF:
            return in_out[pos].desc.format == trt.TensorFormat.LINEAR and in_out[0].desc.type == trt.DataType.HALF
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(ReadBehindDesc)
