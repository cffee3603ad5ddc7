"""The network has a dynamic batch, and the application never sets its size."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-003"
FIXED = {
    "_, y = pipeline.arrays(context, 3, stream)": (
        'context.set_input_shape("x", (3, 4))\n_, y = pipeline.arrays(context, 3, stream)'
    ),
}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    _, y = pipeline.arrays(context, 3, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
