"""Averages two INT8 tensors of different scales: it rounds to the output's nearest step, which is half a step."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, device_array, publish

LOOKS_LIKE = "FUZ-009"

TYPES = (trt.DataType.FLOAT, trt.DataType.INT8)


class Average(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format == trt.TensorFormat.LINEAR and here.type in TYPES and here.type == in_out[0].type

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            first, second = (device_array(*each) for each in zip(input_desc, inputs, strict=True))
            result = device_array(output_desc[0], outputs[0])
            if output_desc[0].type == trt.DataType.FLOAT:
                result[...] = (first + second) * np.float32(self.factor)
                return
            one, other = (np.float32(desc.scale * self.factor / output_desc[0].scale) for desc in input_desc)
            steps = cp.rint(first.astype(np.float32) * one + second.astype(np.float32) * other)
            result[...] = cp.clip(steps, -128, 127).astype(np.int8)


publish(Average)


def reference(first, second, *, fields):
    return (first + second) * fields["factor"][0]


ROWS = {"dims": ("N", 3, "W"), "min": (1, 3, 1), "opt": (2, 3, 5), "max": (4, 3, 9), "types": ("int8",)}

PLUGIN_CASES = [
    {
        "plugin": "Scale",
        "name": "two-scales",
        "fields": {"factor": np.array([0.5], np.float32)},
        "inputs": [{**ROWS, "scale": 0.02}, {**ROWS, "scale": 0.07}],
        "reference": reference,
    },
    {
        "plugin": "Scale",
        "name": "without-a-reference",
        "fields": {"factor": np.array([0.5], np.float32)},
        "inputs": [{**ROWS, "scale": 0.05}, {**ROWS, "scale": 0.03}],
    },
]
