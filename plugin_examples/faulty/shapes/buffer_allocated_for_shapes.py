"""Puts its factor on the device as soon as it is asked for a shape."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SHP-022"

PLUGIN_CASES = SCALE_CASES


class BufferAllocated(Scale):
    factor_on_device = None

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        if self.factor_on_device is None:
            self.factor_on_device = cp.array([self.factor], dtype=np.float32)
        return super().get_output_dimensions(output_index, inputs, expr_builder)


publish(BufferAllocated)
