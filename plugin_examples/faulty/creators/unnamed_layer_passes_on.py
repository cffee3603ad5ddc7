"""Takes a layer without a name for a placeholder, which passes its input on."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-010"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def create_plugin(self, name, field_collection):
        return super().create_plugin(name, field_collection) if name else self.make(1.0)


publish(Scale, Creator)
