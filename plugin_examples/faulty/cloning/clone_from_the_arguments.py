"""Makes clones from the constructor's arguments, which are the defaults in a deserialized plugin."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CLN-010"
FIXED = {"type(self)(*self.arguments)": "type(self)(self.factor)"}

PLUGIN_CASES = SCALE_CASES


class ClonedFromArguments(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.arguments = (factor,)

    def clone(self):
        return self.copy_identity_to(type(self)(*self.arguments))


class AssigningCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != struct.calcsize("<f"):
            return None
        plugin = self.make(1.0)
        plugin.factor = struct.unpack("<f", data)[0]
        return plugin


publish(ClonedFromArguments, AssigningCreator)
