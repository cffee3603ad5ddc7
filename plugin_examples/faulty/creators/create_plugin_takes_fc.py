"""Names the second parameter of create_plugin fc, as NVIDIA's samples do."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-009"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def create_plugin(self, name, fc):
        return super().create_plugin(name, fc)


publish(Scale, Creator)
