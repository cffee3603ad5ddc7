"""Leaves set_tactic out, since there is only one way to compute."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "TAC-006"
FIXED = {"set_tactic = trt.IPluginV3OneRuntime.set_tactic": "def set_tactic(self, tactic):\n    self.tactic = tactic"}

PLUGIN_CASES = SCALE_CASES


class NoSetTactic(Scale):
    set_tactic = trt.IPluginV3OneRuntime.set_tactic


publish(NoSetTactic)
