"""Makes its launch parameters when it is configured, and keeps them in a closure that all objects share."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-007"

PLUGIN_CASES = SCALE_CASES


def launches():
    made = {}

    def make(rank):
        made[rank] = 128

    return make, made.__getitem__


class LaunchMadeByAClosure(Scale):
    make, launch = map(staticmethod, launches())

    def configure_plugin(self, inputs, outputs):
        self.make(len(inputs[0].desc.dims))

    def compute(self, x, y):
        if self.launch(x.ndim):
            super().compute(x, y)


publish(LaunchMadeByAClosure)
