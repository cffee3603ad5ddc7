"""Compares the whole text of a field with the modes that it knows, a NUL at the end included."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, MODES, AffineCreator, publish

BREAKS = "PFD-008"

PLUGIN_CASES = AFFINE_CASES


class Creator(AffineCreator):
    def read_mode(self, field):
        return MODES.get(field.data.tobytes().decode(errors="replace"))


publish(creator_class=Creator)
