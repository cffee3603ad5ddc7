"""Reads the bytes of its field as FLOAT32, without checking the field's type."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-011"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def read_factor(self, field):
        return np.frombuffer(field.data.tobytes(), np.float32)[0].item() if field.size == 1 else None


publish(Scale, Creator)
