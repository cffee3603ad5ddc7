"""Refuses to make a plugin of stored data for a layer whose name is longer than 255 characters."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-010"

PLUGIN_CASES = SCALE_CASES
LONGEST = 255


class ShortNames(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        if phase.name == "RUNTIME" and len(name) > LONGEST:
            return None
        return super().create_plugin(name, field_collection, phase)


publish(Scale, ShortNames)
