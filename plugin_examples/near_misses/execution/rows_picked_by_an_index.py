"""Has no case, and its second input holds indices. That it fails for large ones is no defect."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale, device_array, publish

LOOKS_LIKE = "ENQ-007"


class Picked(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        if num_inputs != 2 or here.format != trt.TensorFormat.LINEAR:  # noqa: PLR2004 - values and indices
            return False
        return here.type == trt.DataType.INT32 if pos == 1 else here.type == trt.DataType.FLOAT

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        x, places = inputs
        return [trt.DimsExprs([*places, *list(x)[1:]])]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, places = map(device_array, input_desc, inputs)
            cp.take(x, places, axis=0, out=device_array(output_desc[0], outputs[0]))


publish(Picked)
