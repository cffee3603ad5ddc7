"""The device memory was sized for a table of one row, and larger ones are executed in it."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-015"
FIXED = {"pipeline.set_shape(context, 1)": "pipeline.set_shape(context, 4096)"}
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    between = network.add_plugin_v3([x], [], pipeline.relu()).get_output(0)
    pipeline.mark(network, network.add_plugin_v3([between], [], pipeline.relu()), "y")
    engine = pipeline.built(builder, network, {"x": [(1, 4), (64, 4), (4096, 4)]})
    context = engine.create_execution_context(trt.ExecutionContextAllocationStrategy.USER_MANAGED)
    pipeline.set_shape(context, 1)
    size = context.update_device_memory_size_for_shapes()
    scratch = cp.cuda.alloc(size)
    context.set_device_memory(scratch.ptr, size)
    stream = cp.cuda.Stream(non_blocking=True)
    pipeline.set_shape(context, 4096)
    _, y = pipeline.arrays(context, 4096, stream)
    pipeline.execute(context, stream)
    print(pipeline.fetched(y, stream))
