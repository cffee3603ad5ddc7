"""Has another default for an engine than for a network, where a shift of zero is not stored."""

import struct

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, PARAMETERS, Affine, AffineCreator, publish

BREAKS = "FUZ-007"

PLUGIN_CASES = AFFINE_CASES
SHORT = struct.Struct("<fi")


class DefaultLeftOut(Affine):
    def __init__(self, scale, shift=None, sign=1):
        super().__init__(scale, 0 if shift is None else shift, sign)
        self.given = shift is not None

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.shift if self.given else None, self.sign))

    def serialize(self):
        return super().serialize() if self.given else SHORT.pack(self.factor, self.sign)


class DefaultLeftOutCreator(AffineCreator):
    def from_values(self, values):
        if values.get("scale") is None or None in values.values():
            return None
        return self.make(values["scale"], values.get("shift"), values.get("mode", 1))

    def deserialize_plugin(self, name, data):
        if len(data) == SHORT.size:
            scale, sign = SHORT.unpack(data)
            return self.make(scale, 1, sign)
        return self.make(*PARAMETERS.unpack(data)) if len(data) == PARAMETERS.size else None


publish(DefaultLeftOut, DefaultLeftOutCreator)
