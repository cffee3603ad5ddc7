"""Asks for the output's maximum size before it sets the shapes, so the answer is -1."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-017"
PLUGIN_APPS = ["main"]
FIXED = {
    'room = max(context.get_max_output_size("y"), 8 * 4 * 4)': (
        'pipeline.set_shape(context, 3)\nroom = context.get_max_output_size("y")'
    ),
}


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    room = max(context.get_max_output_size("y"), 8 * 4 * 4)
    pipeline.set_shape(context, 3)
    x, _ = pipeline.arrays(context, 3, stream)
    with stream:
        y = cp.zeros(room, cp.uint8)
    context.set_tensor_address("y", y.data.ptr)
    pipeline.execute(context, stream)
    print(x.shape, pipeline.fetched(y, stream)[: 3 * 4 * 4])
