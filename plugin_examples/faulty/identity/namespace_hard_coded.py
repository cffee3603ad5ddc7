"""Its creator is in the namespace acme, but its plugins have an empty namespace."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "ID-003"

PLUGIN_CASES = [{**case, "namespace": "acme"} for case in SCALE_CASES]


class AcmeCreator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.plugin_namespace = "acme"

    def make(self, factor):
        return self.plugin_class(factor)


publish(Scale, AcmeCreator)
