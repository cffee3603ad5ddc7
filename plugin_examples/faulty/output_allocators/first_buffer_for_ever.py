"""The allocator allocates for the first request, and returns the same memory for all that follow."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-004"
FIXED = {"memory or super": "super"}
PLUGIN_APPS = ["main"]


class Buffers(pipeline.Buffers):
    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        return memory or super().reallocate_output_async(tensor_name, memory, size, alignment, stream)


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    buffers = Buffers()
    for rows in (1, 4):
        print(pipeline.find(context, buffers, pipeline.table(rows), stream))
        context.set_tensor_address("y", buffers.arrays["y"].data.ptr)
