"""Keeps its pads as the numbers that the field holds: of floats, the expressions of its output shape refuse them."""

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

LOOKS_LIKE = "CRE-011"

PLUGIN_CASES = PAD_CASES


class Creator(PadCreator):
    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "pads" and field.data.shape == (2,):
                pads = field.data.tolist()
                return self.make(pads) if min(pads) >= 0 else None
        return None


publish(Pad, Creator)
