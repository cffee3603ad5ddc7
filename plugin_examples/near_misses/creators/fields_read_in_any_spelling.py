"""Reads its field in capitals or not, as the exporters of several frameworks write it."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "CRE-002"

PLUGIN_CASES = SCALE_CASES


class AnySpelling(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        factor = None
        for field in field_collection:
            if field.name.lower() == "factor":
                factor = self.read_factor(field)
        return None if factor is None else self.make(factor, phase)


publish(Scale, AnySpelling)
