"""Sets its options only if a field gives one of them; without these fields it has none."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, Scale, publish

BREAKS = "FUZ-007"
FIXED = {
    "if options:": "self.shift, self.sign = 0, 1\nif options:",
}

PLUGIN_CASES = AFFINE_CASES


class Optional(Affine):
    def __init__(self, scale, *options):
        Scale.__init__(self, scale)
        self.plugin_type = "Affine"
        if options:
            self.shift, self.sign = options


class OptionalCreator(AffineCreator):
    def from_values(self, values):
        if set(values) & {"shift", "mode"}:
            return super().from_values(values)
        return self.make(values["scale"]) if values.get("scale") is not None else None

    def make(self, *parameters):
        plugin = self.plugin_class(*parameters)
        plugin.plugin_namespace = self.plugin_namespace
        return plugin


publish(Optional, OptionalCreator)
