"""Keeps the bounds of all plugins in a table of the class, each under its own value."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "CRE-013"


def reference(x, *, fields):
    return np.minimum(x, fields["factor"][0]).astype(x.dtype)


PLUGIN_CASES = [{**SCALE_CASES[0], "fields": {"factor": np.array([6.0], np.float32)}, "reference": reference}]


class BoundsKeptInTheClass(Scale):
    bounds = {}  # noqa: RUF012 - all plugins share it

    def compute(self, x, y):
        y[...] = x.clip(max=BoundsKeptInTheClass.bounds[self.factor])


class ClipCreator(ScaleCreator):
    def make(self, factor, phase):
        BoundsKeptInTheClass.bounds.setdefault(factor, factor)
        return super().make(factor, phase)


publish(BoundsKeptInTheClass, ClipCreator)
