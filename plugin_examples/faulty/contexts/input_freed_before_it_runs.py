"""The input is a temporary array: its memory goes back to the pool before the execution begins."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-007"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    _, y = pipeline.arrays(context, 3, stream)
    with stream:
        context.set_tensor_address("x", cp.asarray(np.ones((3, 4), np.float32)).data.ptr)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
