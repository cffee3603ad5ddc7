"""The shape is set first and the profile chosen afterwards, which forgets the shape."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-001"
FIXED = {
    "pipeline.set_shape(context, 3)\ncontext.set_optimization_profile_async(1, stream.ptr)": (
        "context.set_optimization_profile_async(1, stream.ptr)\npipeline.set_shape(context, 3)"
    ),
}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine(pipeline.TABLES, {"x": [(1, 4), (2, 4), (4, 4)]}).create_execution_context()
    pipeline.set_shape(context, 3)
    context.set_optimization_profile_async(1, stream.ptr)
    _, y = pipeline.arrays(context, 3, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
