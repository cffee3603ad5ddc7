"""Finds the elements of tables that are not zero: an output whose size data decide, in memory of the application's.

The engine's two contexts work side by side, each with its stream, output allocator and device memory. The next table
is copied while the last is still at work. The copy waits for an event: its input has been read.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.data_dependent import non_zero

LEAST, BEST, GREATEST = (0, 4), (4, 4), (16, 4)
#: More bytes than this are not given to one output.
BUDGET = 256

PLUGIN_APPS = ["main"]


class Outputs(trt.IOutputAllocator):
    """Keeps one array for each output, and allocates anew where it is too small."""

    def __init__(self):
        trt.IOutputAllocator.__init__(self)
        self.arrays = {}
        self.shapes = {}

    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        if size > BUDGET:
            return None
        array = self.arrays.get(tensor_name)
        if array is None or array.nbytes < size:
            with cp.cuda.ExternalStream(stream):
                array = self.arrays[tensor_name] = cp.empty(size, np.uint8)
        return array.data.ptr

    def notify_shape(self, tensor_name, shape):
        self.shapes[tensor_name] = tuple(shape)

    def array(self, name, dtype):
        """Return an output as the last execution left it."""
        count = trt.volume(self.shapes[name])
        return self.arrays[name][: count * np.dtype(dtype).itemsize].view(dtype).reshape(self.shapes[name])


def build(logger):
    """Return the serialized engine."""
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    x = network.add_input("x", trt.float32, (-1, 4))
    layer = network.add_plugin_v3([x], [], non_zero.NonZeroPlugin())
    if layer is None:
        raise RuntimeError("TensorRT does not take the plugin")
    for index, name in enumerate(("indices", "count")):
        layer.get_output(index).name = name
        network.mark_output(layer.get_output(index))
    config = builder.create_builder_config()
    profile = builder.create_optimization_profile()
    profile.set_shape("x", LEAST, BEST, GREATEST)
    if config.add_optimization_profile(profile) < 0:
        raise RuntimeError("TensorRT does not take the profile")
    data = builder.build_serialized_network(network, config)
    if data is None:
        raise RuntimeError("TensorRT could not build the engine")
    return data


class Finder:
    """One context with all that it needs."""

    def __init__(self, engine):
        self.stream = cp.cuda.Stream(non_blocking=True)
        self.consumed = cp.cuda.Event()
        self.outputs = Outputs()
        self.context = engine.create_execution_context(trt.ExecutionContextAllocationStrategy.USER_MANAGED)
        self.scratch = cp.cuda.alloc(max(engine.device_memory_size_v2, 1))
        self.context.set_device_memory(self.scratch.ptr, engine.device_memory_size_v2)
        self.context.set_input_consumed_event(self.consumed.ptr)
        self.input = cp.empty(GREATEST, np.float32)
        if not self.context.set_tensor_address("x", self.input.data.ptr):
            raise RuntimeError("TensorRT does not take the memory of x")
        for name in ("indices", "count"):
            if not self.context.set_output_allocator(name, self.outputs):
                raise RuntimeError(f"TensorRT does not take the allocator of {name}")

    def begin(self, table, copies):
        """Copy a table on the stream for copies, and begin to work on it; False where that is refused."""
        if not self.context.set_input_shape("x", table.shape):
            return False
        copies.wait_event(self.consumed)
        self.input[: len(table)].set(table, stream=copies)
        self.stream.wait_event(copies.record())
        return self.context.execute_async_v3(self.stream.ptr)

    def result(self):
        """Wait, and return the indices."""
        with self.stream:
            found = cp.asnumpy(self.outputs.array("indices", np.int32))
        self.stream.synchronize()
        return found


def main():
    """Work on tables of several sizes, an empty one and one that is beyond the budget among them."""
    engine = trt.Runtime(LOGGER).deserialize_cuda_engine(build(LOGGER))
    if engine is None:
        raise RuntimeError("the engine cannot be loaded")
    copies = cp.cuda.Stream(non_blocking=True)
    finders = [Finder(engine), Finder(engine)]
    for rows in (3, 0, 8, 16, 2):
        tables = [np.eye(rows, 4, dtype=np.float32), np.ones((rows, 4), np.float32)]
        begun = [finder.begin(table, copies) for finder, table in zip(finders, tables, strict=True)]
        for finder, table, is_begun in zip(finders, tables, begun, strict=True):
            if not is_begun:
                finder.stream.synchronize()  # no event tells when a failed execution has done with its input
                print(f"a table of shape {table.shape} is beyond the budget")
                continue
            found = finder.result()
            if not np.array_equal(found, np.argwhere(table)):
                raise RuntimeError(f"wrong indices for {rows} rows")
            print(f"{rows} rows: {len(found)} elements")


LOGGER = trt.Logger(trt.Logger.WARNING)
