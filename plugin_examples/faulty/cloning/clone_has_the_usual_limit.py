"""Wants 7 combinations tried; its clones, which a builder asks, have the limit that is set for all plugins."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CLN-005"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def make(self, factor, phase):
        plugin = super().make(factor, phase)
        plugin.format_combination_limit = 7
        return plugin


publish(Scale, Creator)
