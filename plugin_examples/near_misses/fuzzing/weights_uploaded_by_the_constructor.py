"""Uploads its factor when it is made, and shares it with its clones: no stream writes it once contexts run."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class UploadedWhenMade(Scale):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD, uploaded=None):
        super().__init__(factor, phase)
        self.uploaded = cp.asarray(np.array([factor], np.float32)) if uploaded is None else uploaded

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.phase, self.uploaded))

    def compute(self, x, y):
        cp.multiply(x, self.uploaded.astype(x.dtype), out=y)


publish(UploadedWhenMade)
