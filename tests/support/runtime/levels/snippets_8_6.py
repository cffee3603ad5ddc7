"""What is looked at on level 8.6; see ``snippets.py``."""

import gc

import numpy as np

import reference_runtime as trt
from reference_runtime.application import allocators
from reference_runtime.calling.gate.gate import current_gate
from reference_runtime.devices import host

EXPLICIT = 1


class _Double(trt.IPluginV2DynamicExt):
    """Doubles its input, and keeps what it sees of the expressions of its shape."""

    def __init__(self, seen):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type, self.plugin_version, self.plugin_namespace, self.num_outputs = "Double", "1", "", 1
        self.seen = seen

    def get_output_datatype(self, _index, types):
        return types[0]

    def get_output_dimensions(self, _index, inputs, _builder):
        extent = inputs[0][0]
        self.seen.append([extent.isConstant(), extent.getConstantValue(), inputs[0][1].getConstantValue()])
        return inputs[0]

    def supports_format_combination(self, pos, in_out, _count):
        return in_out[pos].type == trt.float32 and in_out[pos].format == trt.TensorFormat.LINEAR

    def configure_plugin(self, inputs, outputs):
        pass

    def enqueue(self, descriptions, _outs, inputs, outputs, _workspace, _stream):
        size = int(np.prod(tuple(descriptions[0].dims))) * 4
        given, wanted = (np.frombuffer(host.view(address, size), np.float32) for address in (inputs[0], outputs[0]))
        wanted[:] = 2 * given

    def serialize(self):
        return b"x"

    def clone(self):
        return _Double(self.seen)


class _DoubleCreator(trt.IPluginCreator):
    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name, self.plugin_version, self.plugin_namespace = "Double", "1", ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, _name, _fields):
        return _Double([])

    def deserialize_plugin(self, _name, _data):
        return _Double([])


def _plugin():
    registry = trt.get_plugin_registry()
    if registry.get_plugin_creator("Double", "1", "") is None:
        registry.register_creator(_DoubleCreator(), "")
    return registry.get_plugin_creator("Double", "1", "").create_plugin("double", trt.PluginFieldCollection([]))


def _engine(logger, profiles=2, rows=-1):
    builder = trt.Builder(logger)
    network = builder.create_network(EXPLICIT)
    given = network.add_input("x", trt.float32, (rows, 2))
    plugin = _plugin()
    layer = network.add_plugin_v2([given], plugin)
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    config = builder.create_builder_config()
    config.max_workspace_size = 1 << 20
    for most in range(profiles):
        profile = builder.create_optimization_profile()
        profile.set_shape("x", (1, 2), (2, 2), (4 + most, 2))
        config.add_optimization_profile(profile)
    return builder.build_engine(network, config), plugin


def _addresses(count):
    return [host.current_device().allocate(64) for _ in range(count)]


def _rank(dims):
    """Return the number of dimensions; -1 for none at all, which ``len`` cannot say."""
    try:
        return len(dims)
    except ValueError:
        return -1


def names():
    return {"version": trt.__version__, "public": trt.__all__, "shown": dir(trt)}


def enumerations():
    kinds = ("DataType", "PluginFieldType", "NetworkDefinitionCreationFlag", "BuilderFlag", "PreviewFeature")
    return {kind: {name: int(value) for name, value in getattr(trt, kind).__members__.items()} for kind in kinds}


def members_that_came_later():
    asked = {
        "Builder": ["build_engine_with_config"],
        "DynamicPluginTensorDesc": ["opt"],
        "IDimensionExpr": ["is_constant", "get_constant_value", "is_size_tensor"],
        "IExprBuilder": ["declare_size_tensor"],
        "INetworkDefinition": ["add_plugin_v3", "flags"],
        "IPluginCreator": ["interface_info"],
        "IPluginRegistry": ["get_creator", "all_creators", "acquire_plugin_resource"],
    }
    return [f"{owner}.{name}" for owner, names in asked.items() for name in names if hasattr(getattr(trt, owner), name)]


def a_missing_member():
    return trt.DataType.INT64


def an_int64_array():
    return trt.Weights(np.ones(2, np.int64))


def versions():
    plugin = _plugin()
    creator = trt.get_plugin_registry().get_plugin_creator("Double", "1", "")
    return [plugin.tensorrt_version & 0xFFFFFF, creator.tensorrt_version, trt.IOutputAllocator().tensorrt_version]


def an_expression(logger):
    _, plugin = _engine(logger)
    return plugin.seen


def a_builder(logger):
    builder = trt.Builder(logger)
    sizes = [builder.max_batch_size]
    for size in (8, 0):
        builder.max_batch_size = size
        sizes.append(builder.max_batch_size)
    network = builder.create_network(EXPLICIT)
    return [sizes, network.has_implicit_batch_dimension, network.has_explicit_precision, len(logger.lines)]


def a_configuration(logger):
    config = trt.Builder(logger).create_builder_config()
    config.max_workspace_size = 4096
    config.min_timing_iterations = 3
    kept = [config.max_workspace_size, config.get_memory_pool_limit(trt.MemoryPoolType.WORKSPACE)]
    kept += [config.min_timing_iterations, config.get_flag(trt.BuilderFlag.TF32), config.flags]
    config.reset()
    return [*kept, config.min_timing_iterations]


def profile_sharing_is_a_setting(logger):
    config = trt.Builder(logger).create_builder_config()
    feature = trt.PreviewFeature.PROFILE_SHARING_0806
    before = config.get_preview_feature(feature)
    config.set_preview_feature(feature, enable=True)
    return [before, config.get_preview_feature(feature)]


def bindings(logger):
    engine, _ = _engine(logger)
    count = engine.num_bindings
    return {
        "count": [count, len(engine)],
        "names": [engine.get_binding_name(index) for index in range(count)],
        "items": [engine[0], engine[-1], engine["y [profile 1]"]],
        "indices": [engine.get_binding_index(name) for name in ("x", "y", "x [profile 1]", "z")],
        "inputs": [engine.binding_is_input(key) for key in (0, 1, "x", "y", 9)],
        "shapes": [list(engine.get_binding_shape(key)) for key in (0, "y")],
        "types": [str(engine.get_binding_dtype(key)) for key in (2, "y", 9)],
        "places": [str(engine.get_location(key)) for key in (0, "y")],
        "kinds": [engine.is_shape_binding(0), engine.is_execution_binding(0)],
        "layout": [
            str(engine.get_binding_format(0)),
            engine.get_binding_format_desc(0) == engine.get_tensor_format_desc("x"),
            engine.get_binding_vectorized_dim(0),
            engine.get_binding_components_per_element(0),
            engine.get_binding_bytes_per_component(0),
        ],
        "batch": [engine.max_batch_size, engine.has_implicit_batch_dimension],
        "profiles": [[list(shape) for shape in engine.get_profile_shape(1, key)] for key in (2, "x")],
        "of another profile": [_rank(shape) for shape in engine.get_profile_shape(0, 2)],
        "memory": engine.device_memory_size >= 0,
        "told": logger.lines,
    }


def an_item_beyond_the_bindings(logger):
    return _engine(logger)[0][4]


def values_of_a_tensor_that_is_no_shape_input(logger):
    return _engine(logger)[0].get_profile_shape_input(0, 0)


def _refusal(context, profile):
    try:
        return context.set_optimization_profile_async(profile, 0)
    except RuntimeError as error:
        return str(error)


def profiles_belong_to_one_context(logger):
    engine, _ = _engine(logger)
    first, second = engine.create_execution_context(), engine.create_execution_context()
    begun = [first.active_optimization_profile, second.active_optimization_profile]
    refused = second.set_input_shape("x", (2, 2))
    second.active_optimization_profile = 1
    moved = second.active_optimization_profile
    taken = [_refusal(first, profile) for profile in (1, 7)]
    del second
    gc.collect()
    third = first.set_optimization_profile_async(1, 0)
    return [begun, refused, moved, taken, third, first.active_optimization_profile, logger.lines]


def contexts_without_memory(logger):
    engine, _ = _engine(logger)
    contexts = [engine.create_execution_context_without_device_memory() for _ in range(2)]
    return [context.active_optimization_profile for context in contexts]


def a_profile_that_is_taken(logger):
    engine, _ = _engine(logger)
    contexts = [engine.create_execution_context() for _ in range(2)]
    contexts[1].active_optimization_profile = 0


def static_engines_share_their_profile(logger):
    engine, _ = _engine(logger, profiles=0, rows=2)
    contexts = [engine.create_execution_context() for _ in range(2)]
    return [context.active_optimization_profile for context in contexts]


def shapes_by_binding(logger):
    engine, _ = _engine(logger)
    context = engine.create_execution_context()
    early = [_rank(context.get_binding_shape(1)), context.all_binding_shapes_specified]
    by_name = [context.set_input_shape("x", (3, 2)), context.all_binding_shapes_specified]
    set_ = [context.set_binding_shape(index, (3, 2)) for index in (0, 2, 1, 9)]
    late = [list(context.get_binding_shape(1)), list(context.get_strides(1)), context.all_binding_shapes_specified]
    too_much = context.set_binding_shape(0, (5, 2))
    context.active_optimization_profile = 1
    after = [context.all_binding_shapes_specified, context.set_binding_shape(2, (5, 2))]
    return [early, by_name, set_, late, too_much, after, context.all_shape_inputs_specified]


def shape_inputs_of_an_engine_without_any(logger):
    context = _engine(logger)[0].create_execution_context()
    return [context.set_shape_input(0, [1]), logger.lines]


def values_of_a_binding_without_values(logger):
    return _engine(logger)[0].create_execution_context().get_shape(0)


def executions_by_binding(logger):
    engine, _ = _engine(logger)
    context = engine.create_execution_context()
    context.active_optimization_profile = 1
    context.set_binding_shape(2, (2, 2))
    given, wanted = _addresses(2)
    bindings = [0, 0, given.address, wanted.address]
    runs = {
        "execute_v2": lambda: context.execute_v2(bindings),
        "execute_async_v2": lambda: context.execute_async_v2(bindings, 0),
        "execute": lambda: context.execute(1, bindings),
        "execute_async": lambda: context.execute_async(1, bindings, 0),
        "keywords": lambda: context.execute(bindings=bindings),
    }
    found = {}
    for number, (name, run) in enumerate(runs.items()):
        given.write(np.full(4, number, np.float32))
        done = run()
        context.engine  # noqa: B018 - an engine is asked for between runs
        _wait()
        found[name] = [done, wanted.read(np.float32, 4).tolist()]
    found["too few"] = [context.execute_v2([given.address]), context.execute_async_v2([given.address], 0)]
    found["addresses after"] = [context.get_tensor_address(name) for name in ("x", "y")]
    return found


def _wait():
    host.current_device().synchronize()


def an_output_allocator():
    calls = []

    class Mine(trt.IOutputAllocator):
        def reallocate_output(self, *arguments):
            calls.append(list(arguments))
            return 4096

        def notify_shape(self, name, shape):
            calls.append([name, list(shape)])

        def reallocate_output_async(self, *_arguments):
            calls.append("asynchronously")
            return 0

    mine = Mine()
    given = allocators.reallocate_output(current_gate(), mine, "y", 0, 16, 256)
    trt.IOutputAllocator.reallocate_output(mine, "y", None, 8, 256)
    trt.IOutputAllocator.notify_shape(mine, "y", (2, 2))
    return [given, calls]


def values_by_binding(logger):
    builder = trt.Builder(logger)
    network = builder.create_network(EXPLICIT)
    given, size = network.add_input("x", trt.float32, (6,)), network.add_input("size", trt.int32, (1,))
    layer = network.add_slice(given, (0,), (1,), (1,))
    layer.set_input(2, size)
    network.mark_output(layer.get_output(0))
    config, profile = builder.create_builder_config(), builder.create_optimization_profile()
    profile.set_shape_input("size", (1,), (3,), (6,))
    config.add_optimization_profile(profile)
    engine = builder.build_engine(network, config)
    context = engine.create_execution_context()
    found = {
        "kinds": [
            engine.is_shape_binding(1),
            engine.is_execution_binding(1),
            engine.get_profile_shape_input(0, "size"),
        ],
        "before": context.all_shape_inputs_specified,
        "set": [context.set_shape_input(1, values) for values in ([9], [1, 2], [4])],
        "after": [context.all_shape_inputs_specified, context.get_shape(1), list(context.get_binding_shape(2))],
    }
    numbers, wanted = _addresses(2)
    numbers.write(np.arange(6, dtype=np.float32))
    found["ran"] = [context.execute_v2([numbers.address, 0, wanted.address]), wanted.read(np.float32, 4).tolist()]
    return found
