"""Sets shapes in each profile only to ask how much memory they need: the switch forgets no needed shape."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-001"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    engine = pipeline.relu_engine(pipeline.TABLES, pipeline.LARGE)
    context = engine.create_execution_context(trt.ExecutionContextAllocationStrategy.USER_MANAGED)
    needed = 0
    for profile, rows in enumerate((8, 32)):
        context.set_optimization_profile_async(profile, stream.ptr)
        pipeline.set_shape(context, rows)
        needed = max(needed, context.update_device_memory_size_for_shapes())
    scratch = cp.cuda.alloc(max(needed, 1))
    context.set_device_memory(scratch.ptr, needed)
    for profile, rows in enumerate((3, 9)):
        context.set_optimization_profile_async(profile, stream.ptr)
        pipeline.set_shape(context, rows)
        x, y = pipeline.arrays(context, rows, stream)
        pipeline.execute(context, stream)
        print(x.shape, pipeline.fetched(y, stream).shape)
