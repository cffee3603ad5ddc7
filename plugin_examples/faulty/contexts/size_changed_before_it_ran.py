"""The wanted size is in an array that the next request overwrites, after memory was allocated for the first."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-019"
FIXED = {"wanted[:] = (4, 4)  # the next request": "following = np.array([4, 4], np.int64)  # the next request"}
PLUGIN_APPS = ["main"]
SIZES = {"size": [(1, 1), (8, 8), (16, 16)]}


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    size = network.add_input("size", trt.int64, (2,))
    pipeline.mark(network, network.add_plugin_v3([x], [size], pipeline.tiles()), "y")
    context = pipeline.built(builder, network, pipeline.TABLES, shapes=SIZES).create_execution_context()
    pipeline.set_shape(context, 2)
    wanted = np.array([8, 8], np.int64)
    context.set_tensor_address("size", wanted.ctypes.data)
    with stream:
        x = cp.ones((2, 4), np.float32)
        y = cp.zeros(tuple(context.get_tensor_shape("y")), np.float32)
    wanted[:] = (4, 4)  # the next request
    for name, array in (("x", x), ("y", y)):
        pipeline.require(context.set_tensor_address(name, array.data.ptr), f"take the memory of {name}")
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream).shape)
