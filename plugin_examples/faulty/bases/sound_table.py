"""A sound plugin for witnesses to build upon: ``y = table[0] * x`` with a table in device memory.

The table is uploaded by ``initialize`` and freed by ``terminate``; clones for contexts share it, and its users are
counted. It registers nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, device_array


class DeviceTable:
    """Numbers in device memory that several objects use; the last object that lets go frees it."""

    def __init__(self, values):
        values = np.asarray(values, np.float32)
        self.shape = values.shape
        self.address = cp.cuda.runtime.malloc(values.nbytes)
        self.users = 1
        self.array().set(values)
        cp.cuda.runtime.streamSynchronize(0)

    def array(self):
        size = 4 * int(np.prod(self.shape))
        memory = cp.cuda.UnownedMemory(self.address, size, self)
        return cp.ndarray(self.shape, np.float32, memptr=cp.cuda.MemoryPointer(memory, 0))

    def acquire(self):
        self.users += 1
        return self

    def release(self):
        self.users -= 1
        if self.users == 0:
            cp.cuda.runtime.free(self.address)
            self.address = 0


class TableScale(Scale):
    table = None

    def initialize(self):
        self.table = DeviceTable([self.factor])

    def terminate(self):
        self.release_table()

    def destroy(self):
        self.release_table()

    def release_table(self):
        if self.table is not None:
            self.table.release()
            self.table = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            self.compute(x, y)

    def compute(self, x, y):
        cp.multiply(x, self.table.array(), out=y)

    def clone(self):
        other = super().clone()
        if self.table is not None:
            other.table = self.table.acquire()
        return other
