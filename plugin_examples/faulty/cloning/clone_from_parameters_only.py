"""Makes clones from the plugin's parameters only, so that they lack its configuration."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish
from plugin_examples.faulty.bases.sound_tuned import TunedScale

BREAKS = "CLN-004"

PLUGIN_CASES = SCALE_CASES


class CloneFromParametersOnly(TunedScale):
    def clone(self):
        return Scale.clone(self)


publish(CloneFromParametersOnly)
