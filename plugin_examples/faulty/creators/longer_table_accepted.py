"""Takes a table of any length, and unpacks three numbers from it when it runs."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-005"


def reference(x, *, fields):
    return (x * np.float32(fields["factor"][0])).astype(x.dtype)


PLUGIN_CASES = [
    {**case, "fields": {"factor": np.array([1.5, 0, 1], np.float32)}, "reference": reference} for case in SCALE_CASES
]


class AnyLength(Scale):
    def __init__(self, table, phase=trt.TensorRTPhase.BUILD):
        super().__init__(table[0], phase)
        self.table = table
        self.stored_factor = np.array(table, np.float32)

    def clone(self):
        return self.copy_identity_to(type(self)(self.table, self.phase))

    def compute(self, x, y):
        if len(self.table) % 3:
            _factor, _, _ = self.table
        cp.multiply(x, x.dtype.type(self.table[0]), out=y)


class Creator(ScaleCreator):
    def read_factor(self, field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.data.size == 0:
            return None
        return field.data.tolist()


publish(AnyLength, Creator)
