"""Keeps a factor for FP16 beside that for FP32, and makes clones without it."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, device_array, publish

BREAKS = "CLN-002"

PLUGIN_CASES = SCALE_CASES


class CloneForgetsWhatHalvesNeed(Scale):
    factor_of_halves = np.float16(1)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            factor = self.factor_of_halves if x.dtype == np.float16 else np.float32(self.factor)
            cp.multiply(x, factor, out=y)


class Creator(ScaleCreator):
    def make(self, factor):
        plugin = super().make(factor)
        plugin.factor_of_halves = np.float16(factor)
        return plugin


publish(CloneForgetsWhatHalvesNeed, Creator)
