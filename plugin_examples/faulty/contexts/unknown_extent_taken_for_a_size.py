"""Sizes the buffer by the output's shape, in which the data-dependent dimension is -1."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-012"
FIXED = {'abs(int(np.prod(tuple(context.get_tensor_shape("y")))))': 'context.get_max_output_size("y") // 4'}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.index_engine().create_execution_context()
    pipeline.set_shape(context, 2)
    elements = abs(int(np.prod(tuple(context.get_tensor_shape("y")))))
    with stream:
        x, y = cp.zeros((2, 4), np.float32), cp.zeros(elements, np.int32)
        count = cp.zeros((), np.int32)
    for name, array in (("x", x), ("y", y), ("count", count)):
        pipeline.require(context.set_tensor_address(name, array.data.ptr), f"take the memory of {name}")
    context.execute_async_v3(stream.ptr)
    stream.synchronize()
