"""Sets a shape only where it is another than the last that was taken; a refused one changes nothing."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-004"
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    taken = 0
    for rows in (3, 9, 3):
        if rows != taken:
            if not context.set_input_shape("x", (rows, 4)):
                continue
            taken = rows
        x, y = pipeline.arrays(context, rows, stream)
        pipeline.execute(context, stream)
        print(x.shape, pipeline.fetched(y, stream).shape)
