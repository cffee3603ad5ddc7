"""Executes one context on two streams, one after the other: the second waits for the first."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-009"
PLUGIN_APPS = ["main"]


def main():
    first, second = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    x, y = pipeline.arrays(context, 3, first)
    pipeline.execute(context, first)
    second.wait_event(first.record())
    pipeline.execute(context, second)
    print(x.shape, pipeline.fetched(y, second))
