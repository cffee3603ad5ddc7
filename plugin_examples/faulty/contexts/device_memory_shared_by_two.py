"""Two contexts that run at the same time use the same device memory."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-015"
PLUGIN_APPS = ["main"]


def main():
    engine = pipeline.relu_engine()
    scratch = cp.cuda.alloc(engine.device_memory_size_v2)
    running = []
    for _ in range(2):
        stream = cp.cuda.Stream(non_blocking=True)
        context = engine.create_execution_context(trt.ExecutionContextAllocationStrategy.USER_MANAGED)
        context.set_device_memory(scratch.ptr, engine.device_memory_size_v2)
        pipeline.set_shape(context, 3)
        arrays = pipeline.arrays(context, 3, stream)
        pipeline.execute(context, stream)
        running.append((context, stream, arrays))
    for _, stream, (_, y) in running:
        print(pipeline.fetched(y, stream))
