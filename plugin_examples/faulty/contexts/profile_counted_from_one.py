"""Profiles are counted from 1, so that the last profile does not exist."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-016"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    engine = pipeline.relu_engine(pipeline.TABLES, pipeline.LARGE)
    context = engine.create_execution_context()
    context.set_optimization_profile_async(engine.num_optimization_profiles, stream.ptr)
    pipeline.set_shape(context, 9)
    _, y = pipeline.arrays(context, 9, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
