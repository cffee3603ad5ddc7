"""The application was written for TensorRT 8.6, where shapes are set by the number of a binding."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-020"
FIXED = {
    "context.set_binding_shape(0, (3, 4))": 'context.set_input_shape("x", (3, 4))',
    "context.execute_async_v2([x.data.ptr, y.data.ptr], stream.ptr)": "context.execute_async_v3(stream.ptr)",
}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    context.set_binding_shape(0, (3, 4))
    x, y = pipeline.arrays(context, 3, stream)
    context.execute_async_v2([x.data.ptr, y.data.ptr], stream.ptr)
    print(pipeline.fetched(y, stream))
