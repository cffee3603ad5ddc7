"""Advertises an optional field of FLOAT16, which it then cannot read."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-005"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
                trt.PluginField("half_factor", np.array([], np.float16), trt.PluginFieldType.FLOAT16),
            ]
        )

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "half_factor":
                return self.make(field.data[0].item())
        return super().create_plugin(name, field_collection)


publish(Scale, Creator)
