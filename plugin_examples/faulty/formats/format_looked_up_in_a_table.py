"""Looks types up in a table that does not hold all of them: the KeyError reaches TensorRT."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-006"

PLUGIN_CASES = SCALE_CASES

SUPPORTED = {trt.DataType.FLOAT: True, trt.DataType.HALF: True, trt.DataType.INT8: False, trt.DataType.INT32: False}


class LookedUpInATable(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format == trt.TensorFormat.LINEAR and SUPPORTED[here.type] and here.type == in_out[0].type


publish(LookedUpInATable)
