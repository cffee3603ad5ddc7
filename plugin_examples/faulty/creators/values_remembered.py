"""Collects field values in one dictionary, where a value stays for the next plugin that is made without it."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "CRE-013"

PLUGIN_CASES = AFFINE_CASES


class Creator(AffineCreator):
    def __init__(self):
        super().__init__()
        self.values = {}

    def from_values(self, values):
        self.values.update(values)
        return super().from_values({**self.values, "scale": values.get("scale")})


publish(creator_class=Creator)
