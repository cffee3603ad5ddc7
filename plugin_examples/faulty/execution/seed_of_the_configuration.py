"""Seeds NumPy's global generator with a constant when it is configured."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class SeedOfTheConfiguration(Scale):
    def configure_plugin(self, inputs, outputs):
        np.random.seed(0)  # noqa: NPY002


publish(SeedOfTheConfiguration)
