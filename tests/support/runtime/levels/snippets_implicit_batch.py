"""What is looked at of networks with an implicit batch, which level 8.6 alone has; see ``snippets.py``."""

import numpy as np

import reference_runtime as trt
from reference_runtime.calling.gate import gate, scheduler
from reference_runtime.devices import current

LINEAR = trt.TensorFormat.LINEAR
EXPLICIT = 1


class _Plugin:
    """Adds its second input to its first, if it has a second; keeps what it was told."""

    told = None  # a list that all copies share
    reads_one_item = True
    shares_its_output = False

    def __init__(self, *learned):
        self.base.__init__(self)
        self.plugin_type, self.plugin_version, self.plugin_namespace, self.num_outputs = "P", "1", "", 1
        self.learned = list(learned)

    def get_output_shape(self, _index, shapes):
        return shapes[0]

    def get_workspace_size(self, most):
        self.told.append(["workspace", most])
        return 4 * most

    def supports_format(self, dtype, layout):
        return dtype == trt.float32 and layout == LINEAR

    def initialize(self):
        self.told.append(["initialize"])
        return 0

    def terminate(self):
        self.told.append(["terminate"])

    def execute_async(self, batch, inputs, outputs, _workspace, stream):
        self.told.append(["run", batch])
        device, size = current.current_device(), 4 * self.learned[0]
        counts = [batch if copied else 1 for copied in self.learned[1:]]
        values = [
            np.frombuffer(device.fetch(at, count * size, stream=stream), np.float32).reshape(count, -1)
            for at, count in zip(inputs, counts, strict=True)
        ]
        total = np.add(*values) if len(values) > 1 else values[0]
        total = total[:1] if self.shares_its_output else np.broadcast_to(total, (batch, total.shape[1]))
        device.store(outputs[0], np.ascontiguousarray(total).tobytes(), stream=stream)
        return 0

    def serialize(self):
        return bytes(self.learned)

    def clone(self):
        copy = type(self)(*self.learned)
        self.told.append(["clone"])
        return copy

    def destroy(self):
        self.told.append(["destroy"])


class _V2(_Plugin, trt.IPluginV2):
    base = trt.IPluginV2

    def configure_with_format(self, inputs, outputs, dtype, layout, most):
        shapes = [list(dims) for dims in (*inputs, *outputs)]
        self.told.append(["configure", shapes, dtype.name, layout.name, most])
        self.learned = [trt.volume(inputs[0]), *[1] * len(inputs)]


class _Ext(_Plugin, trt.IPluginV2Ext):
    base = trt.IPluginV2Ext

    def get_output_data_type(self, _index, types):
        return types[0]

    def can_broadcast_input_across_batch(self, index):
        self.told.append(["can", index])
        return self.reads_one_item

    def is_output_broadcast_across_batch(self, _index, shared):
        self.told.append(["is", list(shared)])
        return self.shares_its_output

    def configure_plugin(self, *arguments):
        inputs, outputs, types, out_types, shared, out_shared, _layout, most = arguments
        names = [dtype.name for dtype in (*types, *out_types)]
        self.told.append(["configure", [list(d) for d in (*inputs, *outputs)], names, shared, out_shared, most])
        self.learned = [trt.volume(inputs[0]), *(not one for one in shared)]

    def attach_to_context(self, cudnn, cublas, allocator):
        self.told.append(["attach", cudnn, cublas, allocator])

    def detach_from_context(self):
        self.told.append(["detach"])


class _IOExt(_Plugin, trt.IPluginV2IOExt):
    base = trt.IPluginV2IOExt

    def get_output_data_type(self, _index, types):
        return types[0]

    def supports_format_combination(self, pos, in_out, num_inputs):
        self.told.append(["asked", pos, list(in_out[pos].dims), num_inputs])
        desc = in_out[pos]
        return desc.format == LINEAR and desc.type == (trt.int8 if pos == 0 else trt.float32)

    def configure_plugin(self, ins, outs):
        self.told.append(["configure", [[list(d.dims), d.type.name, round(d.scale, 3)] for d in (*ins, *outs)]])
        self.learned = [trt.volume(ins[0].dims), 1]

    def execute_async(self, batch, inputs, outputs, _workspace, stream):
        device, count = current.current_device(), batch * self.learned[0]
        values = np.frombuffer(device.fetch(inputs[0], count, stream=stream), np.int8)
        device.store(outputs[0], (values * np.float32(0.5)).tobytes(), stream=stream)
        return 0


class _Creator(trt.IPluginCreator):
    def __init__(self, kind):
        trt.IPluginCreator.__init__(self)
        self.name, self.plugin_version, self.plugin_namespace = "P", "1", ""
        self.field_names = trt.PluginFieldCollection([])
        self.kind = kind

    def create_plugin(self, _name, _fields):
        return self.kind()

    def deserialize_plugin(self, _name, data):
        return self.kind(*data)


def _kind(base, **members):
    """Return a class of plugins that keeps what is told to it, registered."""
    kind = type(base.__name__, (base,), {"told": [], **members})
    registry = trt.get_plugin_registry()
    for creator in [each for each in registry.plugin_creator_list if each.name == "P"]:
        registry.deregister_creator(creator)
    registry.register_creator(_Creator(kind), "")
    return kind


def _network(logger, kind, *, shared=(), most=4, shape=(2,)):
    """Return the builder, the network and its configuration; ``shared`` says for each input whether it is one item."""
    builder = trt.Builder(logger)
    builder.max_batch_size = most
    network = builder.create_network()
    inputs = []
    for place, one in enumerate(shared or (False,)):
        tensor = network.add_input(f"x{place}", trt.float32, shape)
        tensor.broadcast_across_batch = one
        inputs.append(tensor)
    layer = network.add_plugin_v2(inputs, kind())
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    return builder, network, builder.create_builder_config()


def _engine(logger, kind, **options):
    builder, network, config = _network(logger, kind, **options)
    return builder.build_engine(network, config)


def _run(context, batch, arrays, out_shape):
    device = current.current_device()
    buffers = [device.allocate(array.nbytes, label="x") for array in arrays]
    for buffer, array in zip(buffers, arrays, strict=True):
        buffer.write(array)
    result = device.allocate(4 * int(np.prod(out_shape)), label="y")
    done = context.execute(batch_size=batch, bindings=[*(buffer.address for buffer in buffers), result.address])
    return [done, result.read(np.float32, out_shape).tolist() if done else None]


def _numbers(*shape, start=1):
    return np.arange(start, start + np.prod(shape), dtype=np.float32).reshape(shape)


def the_life_of_a_shared_plugin(logger):
    kind = _kind(_V2)
    with scheduler.scheduling(0), gate.watching(gate.Gate()) as seen:
        engine = _engine(logger, kind)
        built, kind.told[:] = list(kind.told), []
        first, second = engine.create_execution_context(), engine.create_execution_context()
        outcomes = [_run(first, 4, [_numbers(4, 2)], (4, 2)), _run(second, 1, [_numbers(1, 2)], (1, 2))]
        del first, second, engine
        return {"built": built, "ran": kind.told, "gave": outcomes, "failures": [f.what for f in seen.failures]}


def what_the_application_sees(logger):
    engine = _engine(logger, _kind(_V2))
    context = engine.create_execution_context()
    other = engine.create_execution_context()
    shapes = [engine.get_binding_shape(0), engine.get_tensor_shape("y"), context.get_tensor_shape("x0")]
    profiles = [context.active_optimization_profile, other.active_optimization_profile]
    return [engine.has_implicit_batch_dimension, engine.max_batch_size, [list(each) for each in shapes], profiles]


def what_is_refused_of_an_implicit_engine(logger):
    context = _engine(logger, _kind(_V2)).create_execution_context()
    x, y = _numbers(5, 2), (5, 2)
    refused = [_run(context, 5, [x], y)[0], _run(context, 0, [x], y)[0], context.execute_v2([0, 0])]
    refused += [context.execute_async_v2([0, 0], 0), context.set_input_shape("x0", (1, 2))]
    return [refused, logger.lines]


def a_dynamic_plugin_in_an_implicit_network(logger):
    class Dynamic(trt.IPluginV2DynamicExt):
        pass

    network = trt.Builder(logger).create_network()
    return [network.add_plugin_v2([network.add_input("x", trt.float32, (1,))], Dynamic()), logger.lines]


def layers_of_an_implicit_network(logger):
    network = trt.Builder(logger).create_network()
    x = network.add_input("x", trt.float32, (2, 3))
    constant = network.add_constant((2, 3), np.ones((2, 3), np.float32)).get_output(0)
    total = network.add_elementwise(x, constant, trt.ElementWiseOperation.SUM).get_output(0)
    shapes = [list(each.shape) for each in (x, constant, total)]
    shared = [each.broadcast_across_batch for each in (x, constant, total)]
    constant.broadcast_across_batch = False
    x.shape = (3, 2)
    return [shapes, shared, list(x.shape), network.add_softmax(x), network.has_implicit_batch_dimension, logger.lines]


def an_input_that_is_shared(logger):
    kind = _kind(_Ext)
    with scheduler.scheduling(0):
        context = _engine(logger, kind, shared=(False, True)).create_execution_context()
        gave = _run(context, 3, [_numbers(3, 2), _numbers(1, 2, start=10)], (3, 2))
    return [kind.told, gave]


def an_input_that_is_copied(logger):
    kind = _kind(_Ext, reads_one_item=False)
    with scheduler.scheduling(0):
        context = _engine(logger, kind, shared=(False, True)).create_execution_context()
        gave = _run(context, 3, [_numbers(3, 2), _numbers(1, 2, start=10)], (3, 2))
        gave += _run(context, 1, [_numbers(1, 2), _numbers(1, 2, start=20)], (1, 2))
    return [kind.told, gave]


def an_output_that_is_shared(logger):
    kind = _kind(_Ext, shares_its_output=True)
    builder, network, config = _network(logger, kind, shared=(False, True))
    shared = network.get_output(0).broadcast_across_batch
    context = builder.build_engine(network, config).create_execution_context()
    return [shared, _run(context, 3, [_numbers(3, 2), _numbers(1, 2, start=10)], (1, 2))]


def an_int8_input(logger):
    kind = _kind(_IOExt)
    builder, network, config = _network(logger, kind, shape=(3,))
    config.set_flag(trt.BuilderFlag.INT8)
    network.get_input(0).set_dynamic_range(-12.7, 12.7)
    with scheduler.scheduling(0):
        context = builder.build_engine(network, config).create_execution_context()
        return [kind.told, _run(context, 2, [_numbers(2, 3)], (2, 3))]


class _Calibrator(trt.IInt8MinMaxCalibrator):
    def __init__(self, *batches):
        super().__init__()
        self.batches = list(batches)

    def get_batch_size(self):
        return 2

    def get_batch(self, _names):
        return self.batches.pop(0) if self.batches else None

    def read_calibration_cache(self):
        return None

    def write_calibration_cache(self, cache):
        self.cache = bytes(cache).decode()


class _Doubles(_IOExt):
    """Takes FLOAT as well as INT8, and doubles."""

    def supports_format_combination(self, pos, in_out, _num_inputs):
        desc = in_out[pos]
        return desc.format == LINEAR and desc.type in (trt.int8, trt.float32) and desc.type == in_out[0].type

    def configure_plugin(self, ins, outs):
        self.told.append([ins[0].type.name, round(ins[0].scale, 3), round(outs[0].scale, 3)])
        self.learned = [trt.volume(ins[0].dims), int(ins[0].type)]

    def execute_async(self, batch, inputs, outputs, _workspace, stream):
        device, dtype = current.current_device(), np.float32 if self.learned[1] == 0 else np.int8
        size = batch * self.learned[0] * np.dtype(dtype).itemsize
        values = np.frombuffer(device.fetch(inputs[0], size, stream=stream), dtype)
        device.store(outputs[0], (values * dtype(2)).tobytes(), stream=stream)
        return 0


def a_calibration_of_batches(logger):
    kind = _kind(_Doubles)
    builder, network, config = _network(logger, kind, shape=(3,))
    config.set_flag(trt.BuilderFlag.INT8)
    batch = current.current_device().allocate(24, label="batch")
    batch.write(np.array([[1, 2, 3], [4, 5, -12.7]], np.float32))
    config.int8_calibrator = calibrator = _Calibrator([batch.address])
    data = builder.build_serialized_network(network, config)
    return [data is not None, kind.told, calibrator.cache.splitlines()[1:], logger.lines]


def a_status_that_is_not_zero(logger):
    kind = _kind(_V2, execute_async=lambda *_arguments: 3)
    with gate.watching(gate.Gate(quiet=True)) as seen:
        engine = _engine(logger, kind)
        return [engine is None, sorted({failure.what for failure in seen.failures}), logger.lines]


def a_plugin_that_no_longer_takes_the_format(logger):
    kind = _kind(_V2)
    builder, network, config = _network(logger, kind)
    data = builder.build_serialized_network(network, config)
    kind.supports_format = lambda *_arguments: False
    return [trt.Runtime(logger).deserialize_cuda_engine(data) is None, logger.lines]


def a_static_network_with_an_explicit_batch(logger):
    kind = _kind(_V2)
    builder = trt.Builder(logger)
    network = builder.create_network(EXPLICIT)
    dynamic = network.add_plugin_v2([network.add_input("x", trt.float32, (-1, 2))], kind())
    layer = network.add_plugin_v2([network.add_input("z", trt.float32, (3, 2))], kind())
    network.mark_output(layer.get_output(0))
    network.remove_tensor(network.get_input(0))
    kind.told[:] = []
    context = builder.build_engine(network, builder.create_builder_config()).create_execution_context()
    configured = [told for told in kind.told if told[0] == "configure"]
    return [dynamic, configured[0], _run(context, 1, [_numbers(3, 2)], (3, 2)), logger.lines]
