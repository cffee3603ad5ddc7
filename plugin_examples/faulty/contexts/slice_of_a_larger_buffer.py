"""Input and output are packed into one buffer, one behind the other, so that the second is not aligned."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-006"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    with stream:
        packed = cp.zeros((2, 3, 4), np.float32)
    pipeline.require(context.set_tensor_address("x", packed[0].data.ptr), "take the memory of x")
    pipeline.require(context.set_tensor_address("y", packed[1].data.ptr), "take the memory of y")
    pipeline.execute(context, stream)
    print(pipeline.fetched(packed[1], stream))
