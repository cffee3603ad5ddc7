"""Keeps the objects of ended contexts, and reuses them for new contexts."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class Recycled(Scale):
    source = None

    def __init__(self, factor, *phase):
        super().__init__(factor, *phase)
        self.spare = []

    def attach_to_context(self, context):
        if self.spare:
            return self.spare.pop()
        attached = self.clone()
        attached.source = self
        return attached

    def destroy(self):
        if self.source is not None:
            self.source.spare.append(self)


publish(Recycled)
