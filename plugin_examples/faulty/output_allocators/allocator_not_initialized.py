"""The allocator's __init__ sets its own attributes, and forgets that of its base class."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-001"
FIXED = {"self.arrays, self.shapes = {}, {}": "super().__init__()\nself.arrays, self.shapes = {}, {}"}
PLUGIN_APPS = ["main"]


class Buffers(pipeline.Buffers):
    def __init__(self):
        self.arrays, self.shapes = {}, {}


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
