"""Learns the width of an element in configure_plugin, but its clones ask for workspace as for FP32."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale

BREAKS = "CLN-004"

PLUGIN_CASES = SCALE_CASES


class CloneTakesTheWidestType(ScratchScale):
    width = 4

    def configure_plugin(self, inputs, outputs):
        self.width = np.dtype(trt.nptype(inputs[0].desc.type)).itemsize

    def get_workspace_size(self, input_desc, output_desc):
        return max(trt.volume(input_desc[0].dims), 0) * self.width


publish(CloneTakesTheWidestType)
