"""Two contexts share device memory, and the second waits for the first."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-015"
PLUGIN_APPS = ["main"]


def main():
    engine = pipeline.relu_engine()
    scratch = cp.cuda.alloc(engine.device_memory_size_v2)
    streams = [cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)]
    contexts = [engine.create_execution_context(trt.ExecutionContextAllocationStrategy.USER_MANAGED) for _ in streams]
    for number in range(4):
        stream, context = streams[number % 2], contexts[number % 2]
        context.set_device_memory(scratch.ptr, engine.device_memory_size_v2)
        pipeline.set_shape(context, 3)
        x, y = pipeline.arrays(context, 3, stream)
        pipeline.execute(context, stream)
        streams[1 - number % 2].wait_event(stream.record())
        print(x.shape, pipeline.fetched(y, stream))
