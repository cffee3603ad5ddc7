"""Serializes the identity of an object that only this process has."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-006"

PLUGIN_CASES = SCALE_CASES
DATA = struct.Struct("<Q")

PARAMETERS = {}


def shared(factor):
    """Return the only object for these parameters."""
    for parameters in PARAMETERS.values():
        if parameters["factor"] == factor:
            return parameters
    parameters = {"factor": factor}
    return PARAMETERS.setdefault(id(parameters), parameters)


class IdentityOfAnObjectSerialized(Scale):
    def serialize(self):
        return DATA.pack(id(shared(self.factor)))


class IdentityOfAnObjectSerializedCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != DATA.size:
            return None
        return self.make(PARAMETERS[DATA.unpack(data)[0]]["factor"])


publish(IdentityOfAnObjectSerialized, IdentityOfAnObjectSerializedCreator)
