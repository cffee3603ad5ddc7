"""Goes back to the second tactic whenever the shape differs from the last shape."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-007"

PLUGIN_CASES = SCALE_CASES


class LostWithTheShape(TacticScale):
    dims = None

    def on_shape_change(self, inputs, outputs):
        dims = tuple(inputs[0].dims)
        if self.dims not in (None, dims):
            self.tactic = 2
        self.dims = dims


publish(LostWithTheShape)
