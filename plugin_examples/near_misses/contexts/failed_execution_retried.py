"""Tries an execution that fails again with what was missing, and reads the output after it succeeded."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-014"
PLUGIN_APPS = ["main"]
BUDGET = 8


class Buffers(pipeline.Buffers):
    """Has little memory at first."""

    budget = BUDGET

    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        if size > self.budget:
            return None
        return super().reallocate_output_async(tensor_name, memory, size, alignment, stream)


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    buffers = Buffers()
    while not pipeline.find(context, buffers, pipeline.table(3), stream):
        buffers.budget *= 2
    print(buffers.shapes, pipeline.fetched(buffers.arrays["y"], stream))
