"""The allocator gets a request of one byte for an empty output, and returns no memory."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-008"
FIXED = {
    (
        "if size <= 1:\n"
        "    return None\n"
        "return super().reallocate_output_async(tensor_name, memory, size, alignment, stream)"
    ): "return super().reallocate_output_async(tensor_name, memory, size, alignment, stream)",
}
PLUGIN_APPS = ["main"]


class Buffers(pipeline.Buffers):
    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        if size <= 1:
            return None
        return super().reallocate_output_async(tensor_name, memory, size, alignment, stream)


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    for table in (pipeline.table(3), np.zeros((2, 4), np.float32)):
        print(pipeline.find(context, Buffers(), table, stream))
