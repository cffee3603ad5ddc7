"""Keeps the last shift in its class; the next plugin without a shift uses it."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "CRE-013"

PLUGIN_CASES = AFFINE_CASES


class ShiftLeftInTheClass(AffineCreator):
    shift = 0

    def make(self, scale, shift, sign):
        return super().make(scale, shift, sign)

    def from_values(self, values):
        if values.get("shift") is not None:
            ShiftLeftInTheClass.shift = values["shift"]
        return super().from_values({"shift": ShiftLeftInTheClass.shift, **values})


publish(creator_class=ShiftLeftInTheClass)
