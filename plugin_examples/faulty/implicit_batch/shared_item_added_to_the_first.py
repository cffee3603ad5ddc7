"""Reads an item that the batch shares once, and adds it to the first element of the batch only."""

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES, BatchAdd, publish

BREAKS = "V2L-003"

PLUGIN_CASES = BATCH_ADD_CASES


class SharedItemAddedToTheFirst(BatchAdd):
    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        counts = [1 if shared else batch_size for shared in self.shared]
        with cp.cuda.ExternalStream(stream_handle):
            a, b, y = map(self.items, (*inputs, *outputs), counts)
            y[...] = 0
            for addend in (a, b):
                cp.add(y[: len(addend)], addend, out=y[: len(addend)])
            cp.multiply(y, y.dtype.type(self.factor), out=y)
        return 0


publish(SharedItemAddedToTheFirst)
