"""Has no case, and a scale for each channel. It refuses another number of channels, once that is known."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale, ScaleCreator, publish

LOOKS_LIKE = "CFG-012"


class Quantized(Scale):
    def __init__(self, scales, phase=trt.TensorRTPhase.BUILD):
        super().__init__(np.array(scales, np.float32), phase)
        self.stored_factor = self.factor

    def configure_plugin(self, inputs, outputs):
        channels = inputs[0].desc.dims[1]
        if channels not in (-1, self.factor.size):
            raise ValueError(f"{self.factor.size} scales for {channels} channels")

    def compute(self, x, y):
        scales = cp.asarray(self.factor).reshape((1, -1) + (1,) * (x.ndim - 2))
        y[...] = (x * scales).astype(x.dtype)


class Creator(ScaleCreator):
    def read_factor(self, field):
        return field.data if field.type == trt.PluginFieldType.FLOAT32 and field.data.size else None


publish(Quantized, Creator)
