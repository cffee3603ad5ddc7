"""Makes an array of the input's dimensions in ``configure_plugin``, where they may be -1."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-002"
ALSO = {"CFG-012": "configure_plugin raises for an accepted combination"}

PLUGIN_CASES = SCALE_CASES


class ConfigurationAllocatesWildcards(Scale):
    def configure_plugin(self, inputs, outputs):
        self.mask = np.zeros(tuple(inputs[0].desc.dims), bool)


publish(ConfigurationAllocatesWildcards)
