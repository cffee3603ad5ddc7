"""Makes clones without an argument, so that they have the default instead of the plugin's factor."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-002"

PLUGIN_CASES = SCALE_CASES


class CloneForgetsTheFactor(Scale):
    def __init__(self, factor=1.0):
        super().__init__(factor)

    def clone(self):
        return self.copy_identity_to(type(self)())


publish(CloneForgetsTheFactor)
