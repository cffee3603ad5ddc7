"""Requires a field in the runtime phase that the plugin does not store."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-008"

PLUGIN_CASES = SCALE_CASES


class WantingCreator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        given = {field.name for field in field_collection}
        if phase == trt.TensorRTPhase.RUNTIME and given != {"factor", "layer"}:
            raise ValueError(f"factor and layer are needed, and not {sorted(given)}")
        return super().create_plugin(name, field_collection, phase)


publish(Scale, WantingCreator)
