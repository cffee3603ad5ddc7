"""Fills its table of tactics when it is configured, which engines never do."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-013"
FIXED = {"table = ()": "table = (1, 2)"}

PLUGIN_CASES = SCALE_CASES


class KnownToBuilders(TacticScale):
    table = ()

    def configure_plugin(self, inputs, outputs):
        super().configure_plugin(inputs, outputs)
        self.table = (1, 2)

    def set_tactic(self, tactic):
        if tactic not in self.table:
            raise ValueError(f"tactic {tactic} is not among {self.table}")
        super().set_tactic(tactic)

    def copy_identity_to(self, other):
        other.table = self.table
        return super().copy_identity_to(other)


publish(KnownToBuilders)
