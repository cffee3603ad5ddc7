"""Keeps the version of TensorRT in an attribute that it does not store."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "GEN-006"

PLUGIN_CASES = SCALE_CASES


class ScaleThatKnowsItsVersion(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.made_by = trt.__version__


publish(ScaleThatKnowsItsVersion)
