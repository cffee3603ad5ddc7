"""The status of the execution is ignored: the old content of the output is delivered as the answer."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples import in_place_add
from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-014"
FIXED = {"context.execute_async_v3(stream.ptr)": "if not context.execute_async_v3(stream.ptr):\n    return"}
PLUGIN_APPS = ["main"]
ROWS = {"x": [(1, 4), (4, 4), (8, 4)], "update": [(1, 4), (2, 4), (8, 4)]}


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    update = network.add_input("update", trt.float32, (-1, 4))
    pipeline.mark(network, network.add_plugin_v3([x, update], [], in_place_add.InPlaceAddPlugin(0)), "y")
    preview = [trt.PreviewFeature.ALIASED_PLUGIN_IO_10_03]
    context = pipeline.built(builder, network, ROWS, preview=preview).create_execution_context()
    pipeline.set_shape(context, 3)
    _, y = pipeline.arrays(context, 3, stream)
    # Five rows do not fit into three: the plugin raises, which only the result of the execution tells.
    context.set_input_shape("update", (5, 4))
    with stream:
        rows = cp.ones((5, 4), np.float32)
    context.set_tensor_address("update", rows.data.ptr)
    context.execute_async_v3(stream.ptr)
    print(pipeline.fetched(y, stream))
