"""Ignores errors of NumPy within a block, and draws from a private generator."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class SettingsWithinABlock(Scale):
    def configure_plugin(self, inputs, outputs):
        self.order = np.random.default_rng(0).permutation(8)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with np.errstate(all="ignore"), np.printoptions(precision=3):
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(SettingsWithinABlock)
