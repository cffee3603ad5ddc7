"""Raises for an input without elements, though the profile begins at zero."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-012"
ALSO = {"ENQ-010": "the smallest shape of the profile is empty"}

PLUGIN_CASES = SCALE_CASES


class EmptyTensorRefused(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            raise ValueError("cannot launch an empty grid")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(EmptyTensorRefused)
