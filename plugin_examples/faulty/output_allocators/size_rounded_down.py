"""The allocator counts in elements of 16 bytes, and rounds the size down to them."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-002"
FIXED = {"max(size // 16 * 16, 1)": "size"}
PLUGIN_APPS = ["main"]


class Buffers(pipeline.Buffers):
    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        self.arrays[tensor_name] = cp.empty(max(size // 16 * 16, 1), cp.uint8)
        return self.arrays[tensor_name].data.ptr


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
