"""Accepts two types, and has TensorRT stop after two combinations: there are no more."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "FMT-013"

PLUGIN_CASES = SCALE_CASES


class TwoCombinationsWanted(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.format_combination_limit = 2


publish(TwoCombinationsWanted)
