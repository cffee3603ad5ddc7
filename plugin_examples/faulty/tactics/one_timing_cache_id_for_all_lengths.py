"""Has one key in the timing cache for polynomials of any length, and a second tactic for long ones alone."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, ScaleCreator, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-012"


def reference(x, *, fields):
    return (x * np.float32(fields["factor"].sum())).astype(x.dtype)


PLUGIN_CASES = [
    {**case, "fields": {"factor": np.array([1, 0.5], np.float32)}, "reference": reference} for case in SCALE_CASES
]


class OneKeyForAllLengths(TacticScale):
    def __init__(self, factors, phase=trt.TensorRTPhase.BUILD):
        super().__init__(float(sum(factors)), phase)
        self.factors = factors
        self.stored_factor = np.array(factors, np.float32)
        self.timing_cache_id = "scale"

    def clone(self):
        return self.copy_identity_to(type(self)(self.factors, self.phase))

    def get_valid_tactics(self):
        return super().get_valid_tactics() if len(self.factors) > 2 else [1]  # noqa: PLR2004 - a longer one


class Creator(ScaleCreator):
    def read_factor(self, field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.data.size == 0:
            return None
        return field.data.tolist()


publish(OneKeyForAllLengths, Creator)
