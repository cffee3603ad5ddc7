"""Keeps the tactic in a record that a plugin shares with its clones. One context sets it for another."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-007"

PLUGIN_CASES = SCALE_CASES


class Choice:
    tactic = None


class SharedByContexts(TacticScale):
    def __init__(self, *parameters):
        self.choice = Choice()
        super().__init__(*parameters)

    @property
    def tactic(self):
        return self.choice.tactic

    @tactic.setter
    def tactic(self, tactic):
        self.choice.tactic = tactic

    def copy_identity_to(self, other):
        other.choice = self.choice
        return super().copy_identity_to(other)


publish(SharedByContexts)
