"""Takes a shift of any size, and stores it in two bytes."""

import struct

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "FUZ-013"

PLUGIN_CASES = AFFINE_CASES
PARAMETERS = struct.Struct("<fhh")


class ShortShift(Affine):
    def serialize(self):
        return PARAMETERS.pack(self.factor, self.shift, self.sign)


class ShortShiftCreator(AffineCreator):
    def deserialize_plugin(self, name, data):
        return self.make(*PARAMETERS.unpack(data)) if len(data) == PARAMETERS.size else None


publish(ShortShift, ShortShiftCreator)
