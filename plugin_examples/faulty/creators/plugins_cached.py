"""Makes one plugin for each factor, and returns it again for the same factor."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-004"

PLUGIN_CASES = SCALE_CASES


class CachingCreator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.made = {}

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "factor" and self.read_factor(field) is not None:
                factor = self.read_factor(field)
                return self.made.setdefault(factor, self.make(factor))
        return None


publish(Scale, CachingCreator)
