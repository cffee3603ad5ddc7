"""Makes a plugin without its required factor; the execution shows that it is missing."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-005"
FIXED = {
    "return self.make(factor)": "return None if factor is None else self.make(factor)",
}

PLUGIN_CASES = SCALE_CASES


class TrustingCreator(ScaleCreator):
    def create_plugin(self, name, field_collection):
        factor = None
        for field in field_collection:
            if field.name == "factor":
                factor = self.read_factor(field)
                if factor is None:
                    return None
        return self.make(factor)


publish(Scale, TrustingCreator)
