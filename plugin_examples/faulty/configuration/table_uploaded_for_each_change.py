"""Uploads a table of the width to new memory with every change of shape."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-010"

PLUGIN_CASES = SCALE_CASES


class TableUploadedForEachChange(Scale):
    address = 0

    def on_shape_change(self, inputs, outputs):
        columns = np.arange(max(inputs[0].dims[-1], 1), dtype=np.int32)
        self.drop()
        self.address = cp.cuda.runtime.malloc(columns.nbytes)
        cp.cuda.runtime.memcpy(self.address, columns.ctypes.data, columns.nbytes, cp.cuda.runtime.memcpyHostToDevice)

    def drop(self):
        if self.address:
            cp.cuda.runtime.free(self.address)
            self.address = 0

    def destroy(self):
        self.drop()


publish(TableUploadedForEachChange)
