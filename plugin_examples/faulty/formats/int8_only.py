"""Accepts INT8 only, although its tensors have no scale."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-014"
ALSO = {"FMT-008": "a plugin that takes only INT8 has no FP32 implementation, either"}


def reference(x, *, fields):
    return x * np.int8(fields["factor"][0])


PLUGIN_CASES = [
    {
        **SCALE_CASES[0],
        "fields": {"factor": np.array([2], np.float32)},
        "inputs": [{**SCALE_CASES[0]["inputs"][0], "types": ("int8",), "values": (-60, 60)}],
        "reference": reference,
    }
]


class Int8Only(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == trt.DataType.INT8


publish(Int8Only)
