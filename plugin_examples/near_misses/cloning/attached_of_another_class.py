"""Attaches an object of a class for contexts, which adds to the class of the build. Clones keep their class."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CLN-011"

PLUGIN_CASES = SCALE_CASES


class InAContext(Scale):
    runs = 0

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.factor), out=y)
        self.runs += 1


class ForBuilds(Scale):
    def attach_to_context(self, context):
        return self.copy_identity_to(InAContext(self.factor, self.phase))


publish(ForBuilds)
