"""Looks its tactic up in a table without 0, the tactic of a plugin that advertises none."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "TAC-004"
FIXED = {
    "{1: cp.multiply}[tactic]": "{0: cp.multiply}[tactic]",
}

PLUGIN_CASES = SCALE_CASES


class NoDefault(Scale):
    def set_tactic(self, tactic):
        self.compute_with = {1: cp.multiply}[tactic]


publish(NoDefault)
