"""Chooses the widest tile that fits, but no tile fits a single column."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-012"

PLUGIN_CASES = SCALE_CASES

TILES = (2, 4, 8)


class TileForOneColumnUnknown(Scale):
    def configure_plugin(self, inputs, outputs):
        self.tile = max(tile for tile in TILES if tile <= inputs[0].max[-1])


publish(TileForOneColumnUnknown)
