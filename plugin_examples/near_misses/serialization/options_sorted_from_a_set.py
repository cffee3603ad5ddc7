"""Has its options in a set, sorts them before it stores them, and reads whether to log from the environment."""

import os
import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "SER-016"

PLUGIN_CASES = SCALE_CASES

OPTIONS = {"fast", "exact", "wide"}
VERBOSE = bool(os.environ.get("SCALE_VERBOSE"))


class OptionsSorted(Scale):
    def serialize(self):
        return struct.pack("<f", self.factor) + ",".join(sorted(OPTIONS)).encode()

    def initialize(self):
        if VERBOSE:
            print("ready")


class OptionsCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        size = struct.calcsize("<f")
        stored = data[size:] == ",".join(sorted(OPTIONS)).encode()
        return self.make(*struct.unpack_from("<f", data)) if stored else None


publish(OptionsSorted, OptionsCreator)
