"""Deletes the BUILD object's reference to the plugin below version "10", and TensorRT-RTX has version "1.7.1"."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

BREAKS = "GEN-003"

PLUGIN_CASES = SCALE_CASES


class HeldFromVersion10(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        if trt.__version__ < "10":
            del self.build.plugin


publish(HeldFromVersion10)
