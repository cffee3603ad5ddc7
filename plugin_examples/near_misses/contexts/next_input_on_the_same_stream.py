"""Copies the next input while the last execution may go on: on the same stream, so that it comes afterwards."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-007"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    x, y = pipeline.arrays(context, 3, stream)
    results = []
    for number in range(3):
        x.set(np.full((3, 4), -number, np.float32), stream=stream)
        pipeline.execute(context, stream)
        results.append(pipeline.fetched(y, stream))
    pipeline.execute(context, stream)
    x.set(np.zeros((3, 4), np.float32), stream=stream)
    del y  # back to the pool of its stream
    stream.synchronize()
    print(results)
