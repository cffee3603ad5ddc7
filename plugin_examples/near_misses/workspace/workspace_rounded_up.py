"""Asks for more workspace than it uses: whole blocks of 256 bytes for the greatest shape."""

import math

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

LOOKS_LIKE = "WSP-004"

PLUGIN_CASES = SCALE_CASES
BLOCK = 256


class RoundedUp(ScratchScale):
    def get_workspace_size(self, inputs, outputs):
        return -(-4 * math.prod(inputs[0].max) // BLOCK) * BLOCK


publish(RoundedUp)
