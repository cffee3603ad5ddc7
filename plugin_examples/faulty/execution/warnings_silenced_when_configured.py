"""Silences the warnings of the whole application when it is configured."""

import warnings

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"
FIXED = {'warnings.simplefilter("ignore")': "pass"}

PLUGIN_CASES = SCALE_CASES


class SilencesWarnings(Scale):
    def configure_plugin(self, inputs, outputs):
        warnings.simplefilter("ignore")


publish(SilencesWarnings)
