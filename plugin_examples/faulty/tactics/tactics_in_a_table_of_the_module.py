"""Fills a table of the module when it is asked for tactics, and takes only tactics of the table."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "ENQ-021"
FIXED = {"VALID = []": "VALID = [1, 2]"}

PLUGIN_CASES = SCALE_CASES

VALID = []


class TableOfTheModule(TacticScale):
    def get_valid_tactics(self):
        VALID[:] = [1, 2]
        return super().get_valid_tactics()

    def set_tactic(self, tactic):
        if tactic not in (VALID or [1]):
            raise ValueError(f"tactic {tactic} is not among {VALID}")
        super().set_tactic(tactic)


publish(TableOfTheModule)
