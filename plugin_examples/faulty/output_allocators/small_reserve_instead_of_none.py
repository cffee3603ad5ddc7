"""Beyond its budget the allocator returns a reserve that it keeps, although it is too small."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-003"
PLUGIN_APPS = ["main"]
BUDGET = 8


class Buffers(pipeline.Buffers):
    def __init__(self):
        super().__init__()
        self.reserve = cp.empty(BUDGET, cp.uint8)

    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        if size > BUDGET:
            return self.reserve.data.ptr
        return super().reallocate_output_async(tensor_name, memory, size, alignment, stream)


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
