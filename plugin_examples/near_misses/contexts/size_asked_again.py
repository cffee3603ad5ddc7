"""Asks for the greatest size of the output whenever it wants to know, first of all before anything is set."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-017"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    if context.get_max_output_size("y") < 0:
        pipeline.set_shape(context, 3)
    x, _ = pipeline.arrays(context, 3, stream)
    with stream:
        y = cp.zeros(context.get_max_output_size("y"), cp.uint8)
    pipeline.require(context.set_tensor_address("y", y.data.ptr), "take the memory of y")
    pipeline.execute(context, stream)
    print(x.shape, pipeline.fetched(y, stream).shape)
