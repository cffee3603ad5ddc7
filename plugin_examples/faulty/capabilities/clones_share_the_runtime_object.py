"""Clones keep the runtime object of their source, copied along with everything else."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Runtime, SplitScale

BREAKS = "CAP-006"
FIXED = {"other.runtime = self.runtime": "other.runtime = RuntimeWithShape(other, other.factor)"}

PLUGIN_CASES = SCALE_CASES


class RuntimeWithShape(Runtime):
    dims = None

    def on_shape_change(self, inputs, outputs):
        self.dims = tuple(inputs[0].dims)


class SharedRuntime(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.runtime = RuntimeWithShape(self, self.factor)

    def clone(self):
        other = super().clone()
        other.runtime = self.runtime
        return other


publish(SharedRuntime)
