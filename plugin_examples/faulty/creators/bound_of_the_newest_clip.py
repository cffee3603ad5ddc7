"""Keeps the bound in the class, where the newest plugin writes it. So two layers of a network cut at the same value.

The bound is greater than usual inputs are, so that a slightly greater bound changes nothing.
"""

import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-013"


def reference(x, *, fields):
    return np.minimum(x, fields["factor"][0]).astype(x.dtype)


PLUGIN_CASES = [{**SCALE_CASES[0], "fields": {"factor": np.array([6.0], np.float32)}, "reference": reference}]


class BoundOfTheNewestClip(Scale):
    bound = None

    def compute(self, x, y):
        y[...] = x.clip(max=BoundOfTheNewestClip.bound)


class ClipCreator(ScaleCreator):
    def make(self, factor, phase):
        BoundOfTheNewestClip.bound = factor
        return super().make(factor, phase)


publish(BoundOfTheNewestClip, ClipCreator)
