"""Has no fields, and so never assigns field_names."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-001"


class Doubling(ScaleCreator):
    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""

    def create_plugin(self, name, field_collection):
        return self.make(2.0)


def reference(x, *, fields):
    return x * np.array(2, x.dtype)


PLUGIN_CASES = [{**case, "fields": {}, "reference": reference} for case in SCALE_CASES]

publish(Scale, Doubling)
