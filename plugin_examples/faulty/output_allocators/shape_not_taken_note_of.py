"""The allocator's notify_shape takes the name only, so every call of it fails."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-005"
FIXED = {
    "def notify_shape(self, tensor_name):\n    self.shapes[tensor_name] = None": (
        "def notify_shape(self, tensor_name, shape):\n    self.shapes[tensor_name] = tuple(shape)"
    ),
}
PLUGIN_APPS = ["main"]


class Buffers(pipeline.Buffers):
    def notify_shape(self, tensor_name):
        self.shapes[tensor_name] = None


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
