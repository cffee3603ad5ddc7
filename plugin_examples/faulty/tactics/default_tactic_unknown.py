"""Looks its tactic up in a table that has no default, though it advertises none."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "TAC-004"

PLUGIN_CASES = SCALE_CASES


class NoDefault(Scale):
    def set_tactic(self, tactic):
        self.compute_with = {1: cp.multiply}[tactic]


publish(NoDefault)
