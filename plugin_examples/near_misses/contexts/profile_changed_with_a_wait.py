"""Changes the profile on a stream that it does not execute on, and synchronizes that stream."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-008"
PLUGIN_APPS = ["main"]


def main():
    stream, housekeeping = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine(pipeline.TABLES, pipeline.LARGE).create_execution_context()
    context.set_optimization_profile_async(1, housekeeping.ptr)
    housekeeping.synchronize()
    pipeline.set_shape(context, 9)
    x, y = pipeline.arrays(context, 9, stream)
    pipeline.execute(context, stream)
    print(x.shape, pipeline.fetched(y, stream).shape)
