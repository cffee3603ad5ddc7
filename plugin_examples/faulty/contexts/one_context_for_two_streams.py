"""Two requests run on two streams, and share the context to save memory."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-009"
FIXED = {"pipeline.execute(context, stream)": "pipeline.execute(context, stream)\nstream.synchronize()"}
PLUGIN_APPS = ["main"]


def main():
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    running = []
    for stream in (cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)):
        arrays = pipeline.arrays(context, 3, stream)
        pipeline.execute(context, stream)
        running.append((stream, arrays))
    for stream, (_, y) in running:
        print(pipeline.fetched(y, stream))
