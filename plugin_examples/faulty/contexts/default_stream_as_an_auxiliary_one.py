"""The default stream is used for auxiliary work, which then waits for itself."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-011"
FIXED = {
    "context.set_aux_streams([cp.cuda.Stream.null.ptr])": (
        "auxiliary = cp.cuda.Stream(non_blocking=True)\ncontext.set_aux_streams([auxiliary.ptr])"
    ),
}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    context.set_aux_streams([cp.cuda.Stream.null.ptr])
    pipeline.set_shape(context, 3)
    _, y = pipeline.arrays(context, 3, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
