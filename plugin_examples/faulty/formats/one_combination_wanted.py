"""Accepts two types, and has TensorRT stop after the first combination."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FMT-013"

PLUGIN_CASES = SCALE_CASES


class OneCombinationWanted(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.format_combination_limit = 1


publish(OneCombinationWanted)
