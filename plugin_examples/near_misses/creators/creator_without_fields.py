"""Advertises an empty collection: it has no fields, and says so."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "CRE-001"


class Doubling(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection):
        return self.make(2.0)


def reference(x, *, fields):
    return x * np.array(2, x.dtype)


PLUGIN_CASES = [{**case, "fields": {}, "reference": reference} for case in SCALE_CASES]

publish(Scale, Doubling)
