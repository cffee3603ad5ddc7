"""Reports FP32 for FP16 inputs, and then accepts FP16 outputs only."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-004"

PLUGIN_CASES = SCALE_CASES


class ReportedTypeRefused(Scale):
    def get_output_datatype(self, index, input_types):
        return trt.DataType.FLOAT


publish(ReportedTypeRefused)
