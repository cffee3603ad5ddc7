"""Serializes the rank of its input, which it does not know before it is configured."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-014"

PLUGIN_CASES = SCALE_CASES
DATA = struct.Struct("<fi")


class SerializeNeedsAConfiguration(Scale):
    rank = None

    def configure_plugin(self, inputs, outputs):
        self.rank = len(inputs[0].desc.dims)

    def serialize(self):
        return DATA.pack(self.factor, self.rank)

    def clone(self):
        copy = super().clone()
        copy.rank = self.rank
        return copy


class SerializeNeedsAConfigurationCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != DATA.size:
            return None
        factor, rank = DATA.unpack(data)
        plugin = self.make(factor)
        plugin.rank = rank
        return plugin


publish(SerializeNeedsAConfiguration, SerializeNeedsAConfigurationCreator)
