"""Makes no plugin where TensorRT lacks an interface that it needs; the version does not matter."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "GEN-001"

PLUGIN_CASES = SCALE_CASES


class CreatorForVersion3(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        if not hasattr(trt, "IPluginV3OneBuild"):
            raise RuntimeError("Scale needs IPluginV3")
        return super().create_plugin(name, field_collection, phase)


publish(type("ScaleForVersion3", (Scale,), {"__module__": __name__}), CreatorForVersion3)
