"""Does not store a field that the case does not set."""

import struct

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "SER-004"

PLUGIN_CASES = [
    {**AFFINE_CASES[0], "fields": {"scale": AFFINE_CASES[0]["fields"]["scale"], "mode": "negated"}, "reference": None}
]
PARAMETERS = struct.Struct("<fi")


class OptionNotStored(Affine):
    def serialize(self):
        return PARAMETERS.pack(self.factor, self.sign)


class OptionCreator(AffineCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != PARAMETERS.size:
            return None
        scale, sign = PARAMETERS.unpack(data)
        return self.make(scale, 0, sign)


publish(OptionNotStored, OptionCreator)
