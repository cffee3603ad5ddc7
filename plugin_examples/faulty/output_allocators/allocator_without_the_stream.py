"""The allocator was written for TensorRT 8.6: it has only the deprecated method, which gets no stream."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "OA-006"
FIXED = {
    "reallocate_output(self, tensor_name, memory, size, alignment": (
        "reallocate_output_async(self, tensor_name, memory, size, alignment, stream"
    ),
}
PLUGIN_APPS = ["main"]


class Buffers(trt.IOutputAllocator):
    def __init__(self):
        trt.IOutputAllocator.__init__(self)
        self.arrays, self.shapes = {}, {}

    def reallocate_output(self, tensor_name, memory, size, alignment):
        self.arrays[tensor_name] = cp.empty(size, cp.uint8)
        return self.arrays[tensor_name].data.ptr

    def notify_shape(self, tensor_name, shape):
        self.shapes[tensor_name] = tuple(shape)


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    print(pipeline.find(context, Buffers(), pipeline.table(3), stream))
