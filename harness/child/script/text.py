"""Hold the text of a standalone script, and the pieces that only some plugins need."""

from __future__ import annotations

TEMPLATE = '''\
"""{title}
Needs the plugin, NumPy and reference_runtime. Exit status 1 while an output is wrong, 0 when none is."""
import importlib.util, sys
import numpy as np
import reference_runtime as trt
from reference_runtime.devices.host import current_device
from reference_runtime.bridges import cupy
sys.modules.update({{"tensorrt": trt, "cupy": cupy}})
sys.path[:0] = {path!r}
{load}
TYPES, PROFILE = {types!r}, {profile!r}  # of the inputs
RUNS = [{runs}]  # shapes and data of the inputs, and the outputs that are wanted, execution after execution
FIELDS = [{fields}]
{made_sizes}creator = trt.get_plugin_registry().{finder}({name!r}, {version!r}, {namespace!r})
rng, logger = np.random.default_rng(0), trt.Logger(trt.Logger.ERROR)
def network_of(builder, dims, values=()):
    plugin = creator.create_plugin("plugin", trt.PluginFieldCollection(FIELDS){phase})
    network = builder.create_network()
    inputs = [network.add_input(f"x{{i}}", getattr(trt.DataType, t), d) for i, (t, d) in enumerate(zip(TYPES, dims))]
    layer = network.{adder}(inputs, {sizes}plugin)
    _ = [network.mark_output(layer.get_output(i)) for i in range(layer.num_outputs)]
    return network
builder = trt.Builder(logger)
config, profile = builder.create_builder_config(), builder.create_optimization_profile()
_ = [profile.set_shape(f"x{{i}}", *corners) for i, corners in enumerate(PROFILE)]
{configured}config.add_optimization_profile(profile)
plan = builder.build_serialized_network(network_of(builder, {dims!r}), config)
engine = trt.Runtime(logger).deserialize_cuda_engine(plan)
context, device, wrong = engine.create_execution_context(), current_device(), 0
{allocator}for shapes, data, wanted in RUNS:
    constant, buffers = network_of(builder, shapes, shapes[len(TYPES):]), {{}}
    _ = [context.set_input_shape(f"x{{i}}", shape) for i, shape in enumerate(shapes[:len(TYPES)])]
{bound_sizes}    for name in {names}:
        shape, dtype = tuple(context.get_tensor_shape(name)), trt.nptype(engine.get_tensor_dtype(name))
        buffer = {memory}
        buffers[name] = buffer, shape, dtype
        context.set_tensor_address(name, buffer.address)
{bound_allocator}        if name[0] == "x":
            buffer.write(np.reshape(data[int(name[1:])] if data else rng.uniform(-4, 4, shape), shape).astype(dtype))
    succeeded = context.execute_async_v3(device.new_stream().handle) and not device.faults
    for i, (buffer, shape, dtype) in enumerate(list(buffers.values())[len(TYPES):]):
        stated = tuple(constant.get_output(i).shape)
        right = succeeded and not buffer.damage() and {agrees} and (not wanted or shape == wanted[i][0]
            and np.allclose(buffer.read(dtype, shape).ravel(), wanted[i][1], {rtol}, {atol}, True))
        print(f"inputs {{shapes}}: output {{i}} is {{shape}}, {{stated}} by constants:", "right" if right else "WRONG")
        wrong += not right
sys.exit(bool(wrong))
'''

#: For shape inputs: each is a constant if its values are known, else an input; a shuffle layer gives it its shape.
SIZES = """\
SIZES = {described!r}  # types, dimensions and profiles of the shape inputs
def sizes_of(network, values):
    for i, (kind, dims, (least, *_)) in enumerate(SIZES):
        known = values and network.add_constant([len(least)], np.array(values[i], kind.lower())).get_output(0)
        put = network.add_shuffle(known or network.add_input(f"s{{i}}", getattr(trt.DataType, kind), [len(least)]))
        put.reshape_dims = dims
        yield put.get_output(0)
"""
PROFILE_OF_SIZES = '_ = [profile.set_shape_input(f"s{i}", *corners) for i, (_, _, corners) in enumerate(SIZES)]\n'
BOUND_SIZES = """\
    host = [np.array(values, size[0].lower()) for size, values in zip(SIZES, shapes[len(TYPES):])]
    _ = [context.set_tensor_address(f"s{i}", values.ctypes.data) for i, values in enumerate(host)]
"""

#: For outputs whose shape depends on the data.
TOLD = """\
class Allocator(trt.IOutputAllocator):
    def reallocate_output(self, name, *_):
        return buffers[name][0].address
    def notify_shape(self, name, shape):
        buffers[name] = buffers[name][0], tuple(shape), buffers[name][2]
allocator = Allocator()
"""
BOUND_TOLD = "        _ = -1 in shape and context.set_output_allocator(name, allocator)\n"
AGREES_WITH_TOLD = "len(stated) == len(shape) and all(n in (m, -1) for n, m in zip(stated, shape))"

NAMES = "map(engine.get_tensor_name, range(engine.num_io_tensors))"
NAMES_BUT_SIZES = f'[name for name in {NAMES} if name[0] != "s"]'

ROOM = "trt.volume(shape) * np.dtype(dtype).itemsize"
ROOM_TOLD = f"context.get_max_output_size(name) if -1 in shape else {ROOM}"
#: For inputs of FP16.
HALVES = "config.set_flag(trt.BuilderFlag.FP16)\n"
#: For outputs in the memory of an input.
ALIASING = "config.set_preview_feature(trt.PreviewFeature.ALIASED_PLUGIN_IO_10_03, True)\n"
MEMORY_ALIASED = "buffers[source][0] if (source := engine.get_aliased_input_tensor(name)) else {memory}"
