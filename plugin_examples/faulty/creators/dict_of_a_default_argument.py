"""Keeps the number of elements in a dictionary that is a default argument: all plugins share it."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CRE-004"
FIXED = {"launch={}": "launch=None", "self.launch = launch": "self.launch = {}"}

PLUGIN_CASES = SCALE_CASES


class DictOfADefaultArgument(Scale):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD, launch={}):  # noqa: B006 - the fault
        super().__init__(factor, phase)
        self.launch = launch

    def on_shape_change(self, inputs, outputs):
        self.launch["elements"] = trt.volume(inputs[0].dims)

    def compute(self, x, y):
        count = self.launch["elements"]
        cp.multiply(x.reshape(-1)[:count], x.dtype.type(self.factor), out=y.reshape(-1)[:count])


publish(DictOfADefaultArgument)
