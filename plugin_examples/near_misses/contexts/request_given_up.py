"""Sets a shape for a request that is given up, then changes the profile and sets the next request's shape."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-001"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine(pipeline.TABLES, pipeline.LARGE).create_execution_context()
    pipeline.set_shape(context, 3)
    context.set_optimization_profile_async(1, stream.ptr)
    pipeline.set_shape(context, 9)
    x, y = pipeline.arrays(context, 9, stream)
    pipeline.execute(context, stream)
    print(x.shape, pipeline.fetched(y, stream).shape)
