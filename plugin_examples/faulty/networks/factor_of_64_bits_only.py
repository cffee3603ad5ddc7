"""Accepts its field only as INT64, which no attribute of an ONNX node becomes."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "NET-006"

PLUGIN_CASES = [{**case, "fields": {"factor": np.array([2], np.int64)}} for case in SCALE_CASES]


class WideCreator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.advertised = [trt.PluginField("factor", np.array([], np.int64), trt.PluginFieldType.INT64)]
        self.field_names = trt.PluginFieldCollection(self.advertised)

    def read_factor(self, field):
        if field.type != trt.PluginFieldType.INT64 or field.size != 1:
            return None
        return float(field.data[0])


publish(Scale, WideCreator)
