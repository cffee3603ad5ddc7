"""Clones keep the runtime object of their source, copied along with everything else."""

from plugin_examples.faulty.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.sound_split_v3 import SplitScale

BREAKS = "CAP-006"

PLUGIN_CASES = SCALE_CASES


class SharedRuntime(SplitScale):
    def clone(self):
        other = super().clone()
        other.runtime = self.runtime
        return other


publish(SharedRuntime)
