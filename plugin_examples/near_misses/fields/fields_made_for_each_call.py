"""Makes the array of its field anew whenever it is asked, and keeps the last in an attribute."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "PFD-004"

PLUGIN_CASES = SCALE_CASES


class MadeForEachCall(Scale):
    def get_fields_to_serialize(self):
        self.stored_factor = np.array([self.factor], np.float32)
        field = trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32)
        return trt.PluginFieldCollection([field])


publish(MadeForEachCall)
