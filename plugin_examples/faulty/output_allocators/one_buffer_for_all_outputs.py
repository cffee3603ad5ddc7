"""The allocator has one block, and returns it for every output."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-009"
FIXED = {"self.block.data.ptr": "super().reallocate_output_async(tensor_name, memory, size, alignment, stream)"}
PLUGIN_APPS = ["main"]


class Buffers(pipeline.Buffers):
    def __init__(self):
        super().__init__()
        self.block = cp.empty(1024, cp.uint8)

    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        return self.block.data.ptr


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
