"""Offers its second tactic for wide inputs only, by its configuration; it runs any tactic on any input."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

LOOKS_LIKE = "TAC-013"

PLUGIN_CASES = SCALE_CASES
WIDE = 4


class TacticsByTheBounds(TacticScale):
    wide = False

    def configure_plugin(self, inputs, outputs):
        super().configure_plugin(inputs, outputs)
        self.wide = inputs[0].max[-1] > WIDE

    def get_valid_tactics(self):
        return [1, 2] if self.wide and not self.half else [1]

    def copy_identity_to(self, other):
        other.wide = self.wide
        return super().copy_identity_to(other)


publish(TacticsByTheBounds)
