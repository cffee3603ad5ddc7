"""Chooses a tile in the query of its workspace, and keeps it in a cached function."""

import functools

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-021"

PLUGIN_CASES = SCALE_CASES


@functools.cache
def tiles():
    return {}


class TileFromTheWorkspaceQuery(Scale):
    def get_workspace_size(self, input_desc, output_desc):
        tiles().setdefault(self.factor, 8)
        return 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if not tiles()[self.factor]:
            raise RuntimeError("no tile")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(TileFromTheWorkspaceQuery)
