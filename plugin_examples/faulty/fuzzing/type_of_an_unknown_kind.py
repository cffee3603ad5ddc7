"""Looks its output type up by a number that it reads from the stored data as it comes."""

import struct

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "FUZ-008"

PLUGIN_CASES = SCALE_CASES
SAME, HALF = 0, 1
STORED = struct.Struct("<fB")


class Kind(Scale):
    def __init__(self, factor, kind=SAME):
        super().__init__(factor)
        self.kind = kind

    def get_output_datatype(self, index, input_types):
        same = super().get_output_datatype(index, input_types)
        return {SAME: same, HALF: trt.DataType.HALF}.get(self.kind)

    def serialize(self):
        return STORED.pack(self.factor, self.kind)

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.kind))


class KindCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            return None
        factor, kind = STORED.unpack(data)
        plugin = self.make(factor)
        plugin.kind = kind
        return plugin


publish(Kind, KindCreator)
