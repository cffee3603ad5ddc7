"""Asks the context itself which requests it can serve: those whose shape is refused are dropped."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-004"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    for rows in (3, 9, 8, 0, 1):
        if not context.set_input_shape("x", (rows, 4)):
            continue
        x, y = pipeline.arrays(context, rows, stream)
        pipeline.execute(context, stream)
        print(x.shape, pipeline.fetched(y, stream).shape)
