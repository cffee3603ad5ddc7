"""Keeps a table in its module, under a lock and by its whole key, and fills every missing entry."""

import threading

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ENQ-021"

PLUGIN_CASES = SCALE_CASES

FACTORS = {}
LOCK = threading.Lock()


class TableRefilled(Scale):
    def configure_plugin(self, inputs, outputs):
        self.typed_factor(inputs[0].desc.type)

    def typed_factor(self, dtype):
        with LOCK:
            return FACTORS.setdefault((self.factor, dtype), self.factor)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.wanted = self.typed_factor(input_desc[0].type)
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.wanted), out=y)


publish(TableRefilled)
