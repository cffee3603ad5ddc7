"""Drops in ``terminate`` the layout that ``serialize`` needs, which comes later in a build."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SER-014"
FIXED = {"self.layout = None": "pass  # serialize still needs the layout"}

PLUGIN_CASES = SCALE_CASES


class LayoutDroppedByTerminate(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.layout = struct.Struct("<f")

    def serialize(self):
        return self.layout.pack(self.factor)

    def terminate(self):
        self.layout = None


publish(LayoutDroppedByTerminate)
