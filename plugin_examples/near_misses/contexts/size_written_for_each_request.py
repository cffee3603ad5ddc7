"""Sets the address of the wanted size once, and writes each request's size there before shapes and execution."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-019"
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
    wanted = np.array([1, 1], np.int64)
    context.set_tensor_address("size", wanted.ctypes.data)
    for request in ((8, 8), (4, 6)):
        wanted[:] = request
        with stream:
            x, y = cp.ones((2, 4), np.float32), cp.zeros(tuple(context.get_tensor_shape("y")), np.float32)
        for name, array in (("x", x), ("y", y)):
            pipeline.require(context.set_tensor_address(name, array.data.ptr), f"take the memory of {name}")
        pipeline.execute(context, stream)
        print(pipeline.fetched(y, stream).shape)
