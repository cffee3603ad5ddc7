"""Turns FP32 into FP16 two at a time if the output is FP16. The last element of an odd row is left out."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-006"

PLUGIN_CASES = WIDE_CASES
TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class PackedInPairs(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        wanted = TYPES if in_out[0].type == trt.DataType.FLOAT else TYPES[1:]
        return here.format == trt.TensorFormat.LINEAR and here.type in wanted

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            end = x.shape[-1] if x.dtype == y.dtype else x.shape[-1] // 2 * 2
            y[..., :end] = x[..., :end] * x.dtype.type(self.factor)


publish(PackedInPairs)
