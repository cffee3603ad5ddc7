"""Reports BOOL for FP16 inputs: its author expected FP32 for data, and any other type for a mask."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-005"

PLUGIN_CASES = SCALE_CASES


class BoolReportedForHalf(Scale):
    def get_output_datatype(self, index, input_types):
        return trt.DataType.FLOAT if index or input_types[0] == trt.DataType.FLOAT else trt.DataType.BOOL


publish(BoolReportedForHalf)
