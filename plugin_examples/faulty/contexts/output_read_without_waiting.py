"""Copies the result to the host on another stream, without a wait for the execution."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-007"
FIXED = {
    "print(pipeline.fetched(y, copies))": "stream.synchronize()\nprint(pipeline.fetched(y, copies))",
}
PLUGIN_APPS = ["main"]


def main():
    stream, copies = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
    _, y = pipeline.arrays(context, 3, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, copies))
