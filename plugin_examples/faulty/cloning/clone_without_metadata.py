"""Describes itself in its metadata, which its creator assigns, and its clones do not."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CLN-005"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def make(self, factor, phase):
        plugin = super().make(factor, phase)
        plugin.metadata_string = f"factor={factor}"
        return plugin


publish(Scale, Creator)
