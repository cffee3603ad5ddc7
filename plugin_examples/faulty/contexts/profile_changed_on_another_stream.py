"""Profiles are changed on a stream for housekeeping, and executions do not wait for it."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-008"
FIXED = {"housekeeping.ptr": "stream.ptr"}
PLUGIN_APPS = ["main"]


def main():
    stream, housekeeping = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine(pipeline.TABLES, pipeline.LARGE).create_execution_context()
    context.set_optimization_profile_async(1, housekeeping.ptr)
    pipeline.set_shape(context, 9)
    _, y = pipeline.arrays(context, 9, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
