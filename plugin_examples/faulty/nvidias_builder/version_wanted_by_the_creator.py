"""Raises in ``create_plugin`` below version 8, and TensorRT-RTX has version 1.7."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "GEN-001"

PLUGIN_CASES = SCALE_CASES
FIRST = 8


class CreatorForTensorRT8(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        if int(trt.__version__.partition(".")[0]) < FIRST:
            raise RuntimeError(f"Scale needs TensorRT {FIRST} or later")
        return super().create_plugin(name, field_collection, phase)


publish(type("ScaleForTensorRT8", (Scale,), {"__module__": __name__}), CreatorForTensorRT8)
