"""Changes the profile, and executes with the shape that it set for the old profile."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-002"
PLUGIN_APPS = ["main"]
FIXED = {
    "context.set_optimization_profile_async(1, stream.ptr)": (
        "context.set_optimization_profile_async(1, stream.ptr)\npipeline.set_shape(context, 3)"
    ),
}


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine(pipeline.TABLES, {"x": [(1, 4), (2, 4), (4, 4)]}).create_execution_context()
    pipeline.set_shape(context, 3)
    _, y = pipeline.arrays(context, 3, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
    context.set_optimization_profile_async(1, stream.ptr)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
