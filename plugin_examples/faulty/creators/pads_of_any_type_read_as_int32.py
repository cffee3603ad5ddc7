"""Reads the bytes of its pads as INT32, without a look at the field's type."""

import numpy as np

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "CRE-011"

PLUGIN_CASES = PAD_CASES


class Creator(PadCreator):
    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "pads" and field.data.shape == (2,):
                pads = np.frombuffer(field.data.tobytes().ljust(8, b"\0"), np.int32)[:2].tolist()
                return self.make(pads) if min(pads) >= 0 else None
        return None


publish(Pad, Creator)
