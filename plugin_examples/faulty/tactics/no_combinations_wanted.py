"""Asks for no combination to be tried, to make the build quick."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "TAC-014"
ALSO = {"FMT-013": "with a limit of 0, TensorRT tries no combination"}

PLUGIN_CASES = SCALE_CASES


class NoCombinations(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.format_combination_limit = 0


publish(NoCombinations)
