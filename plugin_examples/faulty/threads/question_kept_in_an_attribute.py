"""Stores format and type of the queried tensor in attributes, and reads them from there."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "THR-001"

PLUGIN_CASES = SCALE_CASES


class QuestionKeptInAnAttribute(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        self.format, self.type = in_out[pos].format, in_out[pos].type
        if self.format != trt.TensorFormat.LINEAR:
            return False
        if pos == 0:
            return self.type in (trt.DataType.FLOAT, trt.DataType.HALF)
        return self.type == in_out[0].type


publish(QuestionKeptInAnAttribute)
