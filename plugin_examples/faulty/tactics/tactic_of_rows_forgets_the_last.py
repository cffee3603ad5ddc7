"""Leaves out the last row with the tactic that works row by row."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-005"

PLUGIN_CASES = SCALE_CASES


class ForgetsARow(TacticScale):
    def compute(self, x, y):
        y.fill(0)
        super().compute(x, y) if self.tactic == 1 else super().compute(x[:-1], y[:-1])


publish(ForgetsARow)
