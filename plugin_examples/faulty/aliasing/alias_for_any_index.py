"""Aliases the first input for every output index."""

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-002"

PLUGIN_CASES = IN_PLACE_CASES


class AliasesOneInputTwice(InPlace):
    def get_aliased_input(self, output_index):
        return 0


publish(AliasesOneInputTwice)
