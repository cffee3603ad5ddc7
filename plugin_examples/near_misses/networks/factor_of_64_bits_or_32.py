"""Advertises a whole number of 64 bits and takes 32 bits as well, as an ONNX node gives it."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "NET-006"

PLUGIN_CASES = [{**case, "fields": {"factor": np.array([2], np.int64)}} for case in SCALE_CASES]


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.advertised = [trt.PluginField("factor", np.array([], np.int64), trt.PluginFieldType.INT64)]
        self.field_names = trt.PluginFieldCollection(self.advertised)

    def read_factor(self, field):
        if field.type not in (trt.PluginFieldType.INT64, trt.PluginFieldType.INT32) or field.size != 1:
            return None
        return float(field.data[0])


publish(Scale, Creator)
