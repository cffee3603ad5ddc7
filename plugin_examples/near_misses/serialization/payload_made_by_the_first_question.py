"""Makes its payload when its size is queried, and keeps it for ``serialize``, which makes it without that query."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "SER-014"

PLUGIN_CASES = SCALE_CASES


class KeptPayload(Scale):
    payload = None

    def get_serialization_size(self):
        return len(self.packed())

    def serialize(self):
        return self.packed()

    def packed(self):
        if self.payload is None:
            self.payload = struct.pack("<f", self.factor)
        return self.payload


publish(KeptPayload)
