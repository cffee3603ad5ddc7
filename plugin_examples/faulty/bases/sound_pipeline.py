"""The plain parts of an application, without a fault: an engine, contexts, arrays. Faulty ones change one step."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples import leaky_relu_v3
from plugin_examples.data_dependent import non_zero, tile_to

LOGGER = trt.Logger(trt.Logger.ERROR)
#: One profile: tables of 1 to 8 rows of 4.
TABLES = {"x": [(1, 4), (4, 4), (8, 4)]}
LARGE = {"x": [(9, 4), (16, 4), (32, 4)]}
STRONG = 1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)


def require(value, what):
    """Return a result, or raise with the operation that TensorRT did not do."""
    if value is None or value is False:
        raise RuntimeError(f"TensorRT could not {what}")
    return value


def relu(slope=0.25):
    """Make a plugin that keeps shapes."""
    return leaky_relu_v3.LeakyReluPlugin(slope)


def indices():
    """Make a plugin whose first output has a dimension that depends on data."""
    return non_zero.NonZeroPlugin()


def tiles():
    """Make a plugin that reads the size of its output from a shape input."""
    return tile_to.TileToPlugin()


def new_network(builder, shape=(-1, 4), dtype=trt.float32):
    """Return an empty network and its input."""
    network = builder.create_network(STRONG)
    return network, network.add_input("x", dtype, shape)


def mark(network, layer, *names):
    """Name the outputs of a layer and make them those of the network."""
    for index, name in enumerate(names):
        tensor = layer.get_output(index)
        tensor.name = name
        network.mark_output(tensor)


def built(builder, network, *profiles, shapes=None, preview=()):
    """Build and load an engine; each profile gives bounds to inputs, ``shapes`` to the values of shape inputs."""
    config = builder.create_builder_config()
    for feature in preview:
        config.set_preview_feature(feature, True)  # noqa: FBT003 - TensorRT's signature
    for bounds in profiles:
        profile = builder.create_optimization_profile()
        for name, (least, best, greatest) in bounds.items():
            profile.set_shape(name, least, best, greatest)
        for name, (least, best, greatest) in (shapes or {}).items():
            profile.set_shape_input(name, least, best, greatest)
        require(config.add_optimization_profile(profile) >= 0, "take a profile")
    data = require(builder.build_serialized_network(network, config), "build the engine")
    return require(trt.Runtime(LOGGER).deserialize_cuda_engine(data), "load the engine")


def relu_engine(*profiles):
    """Return an engine of one plugin, from x to y."""
    builder = trt.Builder(LOGGER)
    network, x = new_network(builder)
    mark(network, require(network.add_plugin_v3([x], [], relu()), "take the plugin"), "y")
    return built(builder, network, *(profiles or (TABLES,)))


def index_engine():
    """Return an engine whose output y has as many rows as its input has elements that are not zero."""
    builder = trt.Builder(LOGGER)
    network, x = new_network(builder)
    mark(network, require(network.add_plugin_v3([x], [], indices()), "take the plugin"), "y", "count")
    return built(builder, network, TABLES)


def set_shape(context, rows):
    """Set the shape of x."""
    require(context.set_input_shape("x", (rows, 4)), f"take {rows} rows")


def arrays(context, rows, stream):
    """Allocate x and y on the stream, and set their addresses in the context."""
    with stream:
        x = cp.asarray(np.arange(rows * 4, dtype=np.float32).reshape(rows, 4) - 7)
        y = cp.zeros((rows, 4), np.float32)
    for name, array in (("x", x), ("y", y)):
        require(context.set_tensor_address(name, array.data.ptr), f"take the memory of {name}")
    return x, y


def execute(context, stream):
    """Execute, and raise if that fails."""
    require(context.execute_async_v3(stream.ptr), "execute")


def fetched(array, stream):
    """Wait for the stream and return the result."""
    with stream:
        host = cp.asnumpy(array)
    stream.synchronize()
    return host


class Buffers(trt.IOutputAllocator):
    """Gives each output separate memory, and records its shape."""

    def __init__(self):
        trt.IOutputAllocator.__init__(self)
        self.arrays, self.shapes = {}, {}

    def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):
        array = self.arrays.get(tensor_name)
        if array is None or array.nbytes < size:
            array = self.arrays[tensor_name] = cp.empty(size, cp.uint8)
        return array.data.ptr

    def notify_shape(self, tensor_name, shape):
        self.shapes[tensor_name] = tuple(shape)


def find(context, buffers, table, stream):
    """Execute the index engine on a table, with the allocator, and return whether that succeeded."""
    set_shape(context, len(table))
    with stream:
        x = cp.asarray(table)
    require(context.set_tensor_address("x", x.data.ptr), "take the memory of x")
    for name in ("y", "count"):
        require(context.set_output_allocator(name, buffers), f"take the allocator of {name}")
    done = context.execute_async_v3(stream.ptr)
    stream.synchronize()
    return done


def table(rows):
    """Return a table with some elements that are not zero."""
    return np.eye(rows, 4, dtype=np.float32)


def main():
    """Run one table."""
    stream = cp.cuda.Stream(non_blocking=True)
    context = relu_engine().create_execution_context()
    set_shape(context, 3)
    _, y = arrays(context, 3, stream)
    execute(context, stream)
    print(fetched(y, stream))


PLUGIN_APPS = ["main"]
