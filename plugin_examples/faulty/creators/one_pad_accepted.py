"""Accepts one number in place of two pads, and fails in ``initialize``, where the second is missing."""

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "CRE-005"

PLUGIN_CASES = PAD_CASES


class LatePad(Pad):
    def __init__(self, pads):
        super().__init__((pads[0], 0))
        self.pads = pads

    def initialize(self):
        self.left, self.right = self.pads

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        self.right = self.pads[-1]
        return super().get_output_dimensions(output_index, inputs, expr_builder)

    def serialize(self):
        self.right = self.pads[-1]
        return super().serialize()

    def clone(self):
        other = self.copy_identity_to(type(self)(self.pads))
        other.right = self.right
        return other


class Creator(PadCreator):
    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "pads" and field.type.name == "INT32" and field.data.size in (1, 2):
                pads = tuple(int(n) for n in field.data)
                return self.make(pads) if min(pads) >= 0 else None
        return None


publish(LatePad, Creator)
