"""The allocator returns the array itself and not its address."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-007"
FIXED = {"return self.arrays[tensor_name]": "return self.arrays[tensor_name].data.ptr"}
PLUGIN_APPS = ["main"]


class Buffers(pipeline.Buffers):
    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        self.arrays[tensor_name] = cp.empty(size, cp.uint8)
        return self.arrays[tensor_name]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
