"""The numbers of rows of two tables to add differ: each shape is allowed, and nothing checks before the execution."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-013"
FIXED = {"if context.execute": "if not context.infer_shapes() and context.execute"}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    other = network.add_input("other", trt.float32, (-1, 4))
    layer = network.add_elementwise(x, other, trt.ElementWiseOperation.SUM)
    pipeline.mark(network, layer, "y")
    context = pipeline.built(
        builder, network, {**pipeline.TABLES, "other": pipeline.TABLES["x"]}
    ).create_execution_context()
    pipeline.set_shape(context, 3)
    context.set_input_shape("other", (5, 4))
    x, y = pipeline.arrays(context, 3, stream)
    with stream:
        other = cp.ones((5, 4), cp.float32)
    context.set_tensor_address("other", other.data.ptr)
    if context.execute_async_v3(stream.ptr):
        print(x.shape, pipeline.fetched(y, stream))
    else:
        print("the request was refused")
