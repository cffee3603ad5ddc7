"""Gives an output whose size data decide as much memory as it takes at most, and reads the size tensor."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-012"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    with stream:
        x = cp.asarray(pipeline.table(3))
        y = cp.zeros(context.get_max_output_size("y") // 4, np.int32)
        count = cp.zeros((), np.int32)
    for name, array in (("x", x), ("y", y), ("count", count)):
        pipeline.require(context.set_tensor_address(name, array.data.ptr), f"take the memory of {name}")
    pipeline.execute(context, stream)
    found = int(pipeline.fetched(count, stream))
    print(pipeline.fetched(y, stream)[: 2 * found].reshape(found, 2))
