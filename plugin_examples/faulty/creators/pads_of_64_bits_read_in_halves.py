"""Takes INT32 and INT64 for its pads, and reads the bytes of both as INT32."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "CRE-011"

PLUGIN_CASES = PAD_CASES

INTEGERS = (trt.PluginFieldType.INT32, trt.PluginFieldType.INT64)


class Creator(PadCreator):
    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "pads" and field.type in INTEGERS and field.data.shape == (2,):
                pads = np.frombuffer(field.data.tobytes(), np.int32)[:2].tolist()
                return self.make(pads) if min(pads) >= 0 else None
        return None


publish(Pad, Creator)
