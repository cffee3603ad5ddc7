"""Loads its second kernel in the build phase only, so an engine cannot set the second tactic."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-013"

PLUGIN_CASES = SCALE_CASES


class SecondTacticOfTheBuilder(TacticScale):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        super().__init__(factor, phase)
        self.kernels = {1: "whole"}
        if phase == trt.TensorRTPhase.BUILD:
            self.kernels[2] = "rows"

    def set_tactic(self, tactic):
        if tactic not in self.kernels:
            raise ValueError(f"tactic {tactic} has no kernel")
        super().set_tactic(tactic)


publish(SecondTacticOfTheBuilder)
