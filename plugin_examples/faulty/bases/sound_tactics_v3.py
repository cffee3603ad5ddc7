"""A sound IPluginV3 with tactics for witnesses to build upon: ``y = factor * x``, as in ``sound_scale_v3``.

Tactic 1 multiplies whole tensors, tactic 2 goes from row to row; FP16 has tactic 1 alone. It registers nothing when it
is imported.
"""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale


class TacticScale(Scale):
    tactic = None
    half = False

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.timing_cache_id = f"factor={self.factor}"

    def configure_plugin(self, inputs, outputs):
        self.half = inputs[0].desc.type == trt.DataType.HALF

    def get_valid_tactics(self):
        return [1] if self.half else [1, 2]

    def set_tactic(self, tactic):
        if tactic not in (1, 2):
            raise ValueError(f"there is no tactic {tactic}")
        self.tactic = tactic

    def compute(self, x, y):
        if self.tactic == 1:
            cp.multiply(x, x.dtype.type(self.factor), out=y)
            return
        for row in range(len(x)):
            cp.multiply(x[row], x.dtype.type(self.factor), out=y[row])

    def copy_identity_to(self, other):
        other.half = self.half
        other.tactic = self.tactic
        return super().copy_identity_to(other)
