"""Stores a label with the current folder in it, for people who look at engines."""

import pathlib

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SER-016"

PLUGIN_CASES = SCALE_CASES


class FolderInTheLabel(Scale):
    def get_fields_to_serialize(self):
        self.label = np.frombuffer(f"{pathlib.Path.cwd()}/scale".encode(), np.int8)
        return trt.PluginFieldCollection(
            [
                trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32),
                trt.PluginField("label", self.label, trt.PluginFieldType.CHAR),
            ]
        )


publish(FolderInTheLabel)
