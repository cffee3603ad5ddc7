"""Writes the time into its data, so that no two serializations are alike."""

import struct
import time

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-002"
ALSO = {
    "CLN-002": "the data of a clone differ, too",
    "INI-004": "the data differ after another initialize, too",
}

PLUGIN_CASES = SCALE_CASES
DATA = struct.Struct("<fQ")


class SerializedWithATimestamp(Scale):
    def serialize(self):
        return DATA.pack(self.factor, time.perf_counter_ns())


class SerializedWithATimestampCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != DATA.size:
            return None
        factor, _ = DATA.unpack(data)
        return self.make(factor)


publish(SerializedWithATimestamp, SerializedWithATimestampCreator)
