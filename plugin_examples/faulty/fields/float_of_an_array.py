"""Calls float() on field.data, which is an array."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-007"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def read_factor(self, field):
        return float(field.data) if field.type == trt.PluginFieldType.FLOAT32 and field.size == 1 else None


publish(Scale, Creator)
