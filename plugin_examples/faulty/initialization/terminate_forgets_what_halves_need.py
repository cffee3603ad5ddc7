"""Allocates a second buffer in ``initialize`` for FP16, and frees that buffer only in ``destroy``."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "INI-002"

PLUGIN_CASES = SCALE_CASES


class ForgetsWhatHalvesNeed(TableScale):
    half = False

    def __init__(self, factor):
        super().__init__(factor)
        self.buffers = []

    def configure_plugin(self, inputs, outputs):
        self.half = inputs[0].desc.type == trt.DataType.HALF

    def initialize(self):
        super().initialize()
        if self.half:
            self.buffers.append(cp.cuda.runtime.malloc(1024))

    def destroy(self):
        super().destroy()
        while self.buffers:
            cp.cuda.runtime.free(self.buffers.pop())


publish(ForgetsWhatHalvesNeed)
