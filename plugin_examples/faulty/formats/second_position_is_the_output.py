"""Treats pos 1 as the output, also if there is an optional second input."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FMT-016"
ALSO = {"FMT-004": "with the second input given, the output is asked about at pos 2 and refused"}
FIXED = {"return pos == 1 and fits": "return fits"}


def reference(x, bias=None, *, fields):
    return (x * np.float32(fields["factor"][0])).astype(x.dtype) + (0 if bias is None else bias)


_INPUT = SCALE_CASES[0]["inputs"][0]
PLUGIN_CASES = [
    {**SCALE_CASES[0], "name": "one-input", "reference": reference},
    {**SCALE_CASES[0], "name": "two-inputs", "inputs": [_INPUT, _INPUT], "reference": reference},
]


class SecondPositionIsTheOutput(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == 0:
            return super().supports_format_combination(pos, in_out, num_inputs)
        fits = in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == in_out[0].type
        return pos == 1 and fits

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, *bias = map(device_array, input_desc, inputs)
            y = device_array(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(self.factor), out=y)
            for each in bias:
                y += each


publish(SecondPositionIsTheOutput)
