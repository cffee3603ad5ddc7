"""Profiles are counted from 1, so that the last profile does not exist."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-016"
FIXED = {"last = engine.num_optimization_profiles": "last = engine.num_optimization_profiles - 1"}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    engine = pipeline.relu_engine(pipeline.TABLES, pipeline.LARGE)
    context = engine.create_execution_context()
    last = engine.num_optimization_profiles
    context.set_optimization_profile_async(last, stream.ptr)
    pipeline.set_shape(context, 9)
    _, y = pipeline.arrays(context, 9, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
