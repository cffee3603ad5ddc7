"""A request with too many rows is not noticed: set_input_shape returns False, and the last shape is executed again."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-004"
FIXED = {'context.set_input_shape("x", (rows, 4))': 'if not context.set_input_shape("x", (rows, 4)):\n    continue'}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    for rows in (3, 9):
        context.set_input_shape("x", (rows, 4))
        _, y = pipeline.arrays(context, rows, stream)
        pipeline.execute(context, stream)
        print(pipeline.fetched(y, stream))
