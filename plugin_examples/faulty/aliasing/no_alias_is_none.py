"""Looks the alias up in a dict, which returns None for an output without one."""

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-009"

PLUGIN_CASES = IN_PLACE_CASES
ALIASES = {0: 0}


class AnswersNone(InPlace):
    def get_aliased_input(self, output_index):
        return ALIASES.get(output_index)


publish(AnswersNone)
