"""Adds the tactics of each configuration to those of the earlier ones."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-003"

PLUGIN_CASES = SCALE_CASES


class AddingUp(TacticScale):
    known = frozenset()

    def get_valid_tactics(self):
        self.known |= set(super().get_valid_tactics())
        return sorted(self.known)


publish(AddingUp)
