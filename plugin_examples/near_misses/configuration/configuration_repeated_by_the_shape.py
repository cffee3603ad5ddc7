"""Chooses its factor when it is configured, and again at each change of shape: engines make the second call only."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CFG-007"

PLUGIN_CASES = SCALE_CASES
TYPES = {trt.DataType.FLOAT: np.float32, trt.DataType.HALF: np.float16}


class ChosenAgain(Scale):
    typed_factor = None

    def configure_plugin(self, inputs, outputs):
        self.typed_factor = TYPES[inputs[0].desc.type](self.factor)

    def on_shape_change(self, inputs, outputs):
        self.typed_factor = TYPES[inputs[0].type](self.factor)

    def compute(self, x, y):
        y[...] = x * self.typed_factor


publish(ChosenAgain)
