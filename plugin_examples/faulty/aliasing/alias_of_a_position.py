"""Returns the output's own position in ``in_out`` in place of the input's index."""

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-001"

PLUGIN_CASES = IN_PLACE_CASES


class AliasesItself(InPlace):
    def get_aliased_input(self, output_index):
        return 2 if output_index == 0 else -1  # two inputs come first


publish(AliasesItself)
