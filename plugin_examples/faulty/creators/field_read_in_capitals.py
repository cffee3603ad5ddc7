"""Advertises ``shift`` and reads ``Shift``; the case gives what is advertised, and its value is the default."""

import numpy as np

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "CRE-002"

PLUGIN_CASES = [
    {
        **AFFINE_CASES[0],
        "name": "unshifted",
        "fields": {"scale": np.array([1.5], np.float32), "shift": np.array([0], np.int32)},
    }
]


class ReadInCapitals(AffineCreator):
    def from_values(self, values):
        values.pop("shift", None)
        return super().from_values({{"Shift": "shift"}.get(name, name): value for name, value in values.items()})

    def read(self, field):
        return self.read_number(field, field.type) if field.name == "Shift" else super().read(field)


publish(creator_class=ReadInCapitals)
