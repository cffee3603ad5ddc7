"""Copies the next input on another stream, which waits for the event that the last input was read."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "CTX-007"
PLUGIN_APPS = ["main"]


def main():
    stream, copies = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    consumed = cp.cuda.Event()
    context.set_input_consumed_event(consumed.ptr)
    pipeline.set_shape(context, 3)
    x, y = pipeline.arrays(context, 3, stream)
    pipeline.execute(context, stream)
    copies.wait_event(consumed)
    x.set(np.ones((3, 4), np.float32), stream=copies)
    print(pipeline.fetched(y, stream))
