"""Keeps in its class whether it was configured, and computes zeros if it was not."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-007"

PLUGIN_CASES = SCALE_CASES


class ConfiguredFlagOfTheClass(Scale):
    configured = False

    def configure_plugin(self, inputs, outputs):
        if not self.configured:
            type(self).configured = True

    def compute(self, x, y):
        y[...] = x * x.dtype.type(self.factor if self.configured else 0)


publish(ConfiguredFlagOfTheClass)
