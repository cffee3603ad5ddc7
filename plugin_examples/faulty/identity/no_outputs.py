"""Says that it has no outputs."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-007"

PLUGIN_CASES = SCALE_CASES


class NoOutputs(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.num_outputs = 0


publish(NoOutputs)
