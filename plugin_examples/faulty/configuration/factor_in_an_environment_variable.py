"""Hands its factor from the configuration to the execution in an environment variable."""

import os

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-007"
ALSO = {"ENQ-019": "the environment belongs to the application"}

PLUGIN_CASES = SCALE_CASES


class FactorInTheEnvironment(Scale):
    def configure_plugin(self, inputs, outputs):
        os.environ["SCALE_FACTOR"] = repr(self.factor)

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(os.environ.get("SCALE_FACTOR", "1")), out=y)


publish(FactorInTheEnvironment)
