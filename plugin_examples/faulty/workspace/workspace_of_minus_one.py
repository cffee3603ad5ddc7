"""Subtracts a header of one byte from a workspace of none, in 64 bits without a sign."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "WSP-001"

PLUGIN_CASES = SCALE_CASES


class MinusOne(Scale):
    def get_workspace_size(self, input_desc, output_desc):
        return (0 - 1) % 2**64


publish(MinusOne, ScaleCreator)
