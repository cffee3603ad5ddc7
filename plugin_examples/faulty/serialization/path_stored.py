"""Reads a file when an engine is loaded, where the file may be missing."""

import pathlib

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SER-015"

PLUGIN_CASES = SCALE_CASES


class PathStored(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        if self.phase == trt.TensorRTPhase.RUNTIME:
            self.factors = pathlib.Path(__file__).read_bytes()


publish(PathStored)
