"""Reads its weights from the file again for every clone."""

import pathlib

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-012"

PLUGIN_CASES = SCALE_CASES

WEIGHTS = pathlib.Path(__file__)  # any file will do


class CloneReadsAFile(Scale):
    def clone(self):
        other = super().clone()
        other.weights = WEIGHTS.read_bytes()
        return other


publish(CloneReadsAFile)
