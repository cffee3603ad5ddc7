"""Looks for a tile that divides the width, and finds none if the width is a large prime."""

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, publish

BREAKS = "FUZ-003"

PLUGIN_CASES = WIDE_CASES

LARGEST = 64


class TiledByADivisor(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        width = input_desc[0].dims[-1]
        self.tile = max(tile for tile in range(2, LARGEST + 1) if width % tile == 0)
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(TiledByADivisor)
