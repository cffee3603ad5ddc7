"""Cuts a NUL off the end of a text without looking whether there is anything."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, MODES, AffineCreator, publish

BREAKS = "PFD-009"

PLUGIN_CASES = AFFINE_CASES


class Creator(AffineCreator):
    def read_mode(self, field):
        text = field.data[:-1] if field.data[-1] == 0 else field.data
        return MODES.get(text.tobytes().decode(errors="replace"))


publish(creator_class=Creator)
