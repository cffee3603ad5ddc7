"""The next request is copied into the input on a separate stream, while the first is still at work."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-007"
PLUGIN_APPS = ["main"]


def main():
    stream, copies = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    x, y = pipeline.arrays(context, 3, stream)
    pipeline.execute(context, stream)
    x.set(np.ones((3, 4), np.float32), stream=copies)
    print(pipeline.fetched(y, stream))
