"""Stores the version of TensorRT in a field, so each builder stores another value."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "GEN-006"

PLUGIN_CASES = SCALE_CASES
VERSION = np.array([int(part) for part in trt.__version__.split(".")[:2]], np.int32)


class ScaleWithItsVersion(Scale):
    def get_fields_to_serialize(self):
        self.version = VERSION.copy()
        return trt.PluginFieldCollection(
            [
                trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32),
                trt.PluginField("version", self.version, trt.PluginFieldType.INT32),
            ]
        )


class CreatorWithTheVersion(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.advertised.append(trt.PluginField("version", np.array([], np.int32), trt.PluginFieldType.INT32))
        self.field_names = trt.PluginFieldCollection(self.advertised)


publish(ScaleWithItsVersion, CreatorWithTheVersion)
