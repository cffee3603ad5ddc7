"""Raises MemoryError in the allocator if memory is short; the bindings print and drop it."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-003"
FIXED = {'raise MemoryError(f"no {size} bytes for {tensor_name}")': "return None"}
PLUGIN_APPS = ["main"]
BUDGET = 8


class Buffers(pipeline.Buffers):
    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        if size > BUDGET:
            raise MemoryError(f"no {size} bytes for {tensor_name}")
        return super().reallocate_output_async(tensor_name, memory, size, alignment, stream)


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
