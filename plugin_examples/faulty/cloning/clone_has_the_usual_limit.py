"""Gets ``format_combination_limit = 7`` from its creator, and clones have the default limit of 100."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CLN-005"
FIXED = {
    "plugin = super().make(factor, phase)\nplugin.format_combination_limit = 7\nreturn plugin": (
        "return super().make(factor, phase)  # the default limit, as in clones"
    ),
}

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def make(self, factor, phase):
        plugin = super().make(factor, phase)
        plugin.format_combination_limit = 7
        return plugin


publish(Scale, Creator)
