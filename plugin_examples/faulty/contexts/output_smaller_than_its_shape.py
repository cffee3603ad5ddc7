"""The output buffer has as many elements as rows, without the columns."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-006"
FIXED = {"y = cp.zeros(len(x), np.float32)": "y = cp.zeros(x.shape, np.float32)"}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    x, _ = pipeline.arrays(context, 3, stream)
    with stream:
        y = cp.zeros(len(x), np.float32)
    pipeline.require(context.set_tensor_address("y", y.data.ptr), "take the memory of y")
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
