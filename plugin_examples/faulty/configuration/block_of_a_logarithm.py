"""Chooses its block size by the logarithm of the width in ``configure_plugin``, where the width may be -1."""

import math

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-002"
ALSO = {"CFG-012": "configure_plugin raises for an accepted combination"}
FIXED = {"inputs[0].desc.dims[-1]": "max(inputs[0].max[-1], 1)"}

PLUGIN_CASES = SCALE_CASES


class BlockOfALogarithm(Scale):
    def configure_plugin(self, inputs, outputs):
        self.block = 1 << int(math.log2(inputs[0].desc.dims[-1]))


publish(BlockOfALogarithm)
