"""Its creator keeps the factor that it has just read in an attribute until the plugin is made."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "THR-006"

PLUGIN_CASES = SCALE_CASES


class KeepingCreator(ScaleCreator):
    factor = None

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "factor":
                self.factor = self.read_factor(field)
        factor, self.factor = self.factor, None
        return None if factor is None else self.make(factor)


publish(Scale, KeepingCreator)
