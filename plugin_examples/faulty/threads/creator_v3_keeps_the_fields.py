"""Its creator of version 3 keeps the factor just read in an attribute until the plugin is made."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "THR-007"

PLUGIN_CASES = SCALE_CASES


class KeepingCreator(ScaleCreator):
    factor = None

    def create_plugin(self, name, field_collection, phase):
        for field in field_collection:
            if field.name == "factor":
                self.factor = self.read_factor(field)
        factor, self.factor = self.factor, None
        return None if factor is None else self.make(factor, phase)


publish(Scale, KeepingCreator)
