"""Writes the type that it wishes for into the output's descriptor."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-003"

PLUGIN_CASES = SCALE_CASES


class WrittenIntoDescriptor(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == 0:
            return super().supports_format_combination(pos, in_out, num_inputs)
        offered, in_out[pos].type = in_out[pos].type, in_out[0].type
        return in_out[pos].format == trt.TensorFormat.LINEAR and offered == in_out[0].type


publish(WrittenIntoDescriptor)
