"""Chooses the widest tile that fits, and has a tile for widths that are too narrow for all of them."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CFG-012"

PLUGIN_CASES = SCALE_CASES
TILES = (2, 4, 8)


class TileForAnyWidth(Scale):
    def configure_plugin(self, inputs, outputs):
        self.tile = max((tile for tile in TILES if tile <= inputs[0].max[-1]), default=1)


publish(TileForAnyWidth)
