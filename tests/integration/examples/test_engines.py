"""The sound examples and the near misses, of both interfaces, built into engines as an application would do it.

Nothing of the harness drives them here, but for the reading of cases: build, store, load, two contexts, three shapes.
"""

import ast
import contextlib
import importlib
import pathlib
import re
import sys

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import parse_case
from harness.child import import_names
from reference_runtime.bridges.stand_ins import standing_in
from reference_runtime.devices import host
from tests.support import witnesses

HOME = pathlib.Path(__file__).parents[3] / "plugin_examples"
#: What is made for networks that level 8.6 alone has: see integration/runtime/test_implicit_batch.py.
IMPLICIT_BATCH = r"\(trt\.IPluginV2(Ext|IOExt)?\):|faulty\.bases\.sound_batch_"
#: Decorated plugins are added to networks in a way of their own: see reference_runtime/plugin.
DECORATED = r"tensorrt\.plugin|faulty\.bases\.sound_\w+_(qdp|aot) "
LEFT_OUT = re.compile(f"{IMPLICIT_BATCH}|{DECORATED}")


def has_cases(file):
    """Return whether a module, made for a network of plugins that are added as layers, has cases."""
    text = file.read_text()
    has_its_own = "PLUGIN_CASES" in text or file.with_name(f"{file.stem}_cases.py").exists()
    return has_its_own and "PLUGIN_APPS" not in text and not LEFT_OUT.search(text)


MODULES = [
    name
    for name in [*witnesses.examples(), *witnesses.near_misses()]
    if has_cases(HOME.parent / f"{name.replace('.', '/')}.py")
]
TYPES = {
    "float32": trt.DataType.FLOAT,
    "float16": trt.DataType.HALF,
    "int32": trt.DataType.INT32,
    "int64": trt.DataType.INT64,
}
FIELD_TYPES = {
    "float32": trt.PluginFieldType.FLOAT32,
    "int32": trt.PluginFieldType.INT32,
    "int64": trt.PluginFieldType.INT64,
}


@pytest.fixture(scope="module", autouse=True)
def names():
    """Let ``tensorrt`` and ``cupy`` be ours."""
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in ("tensorrt", "cupy")}
    import_names.install(cupy=True)
    yield
    import_names.uninstall()
    sys.modules.update(others)


@contextlib.contextmanager
def imported(name):
    """Import a module afresh, and take its creators back afterwards."""
    registry = trt.get_plugin_registry()
    before = {id(creator) for creator in registry.all_creators}
    sys.modules.pop(name, None)
    try:
        yield importlib.import_module(name)
    finally:
        for creator in [creator for creator in registry.all_creators if id(creator) not in before]:
            registry.deregister_creator(creator)
        sys.modules.pop(name, None)


def cases_of(module):
    beside = f"{module.__name__}_cases"
    home = module if hasattr(module, "PLUGIN_CASES") else importlib.import_module(beside)
    return [parse_case(entry, origin=module.__name__) for entry in home.PLUGIN_CASES]


def layer_in(network, case, inputs, shape_inputs):
    """Add the plugin of a case, made by its creator from the case's fields."""
    creator = trt.get_plugin_registry().get_creator(case.plugin, case.version, case.namespace)
    fields = trt.PluginFieldCollection([field(name, value) for name, value in case.fields.items()])
    if isinstance(creator, trt.IPluginCreatorV3One):
        plugin = creator.create_plugin("layer", fields, trt.TensorRTPhase.BUILD)
        return network.add_plugin_v3(inputs, shape_inputs, plugin)
    return network.add_plugin_v2(inputs, creator.create_plugin("layer", fields))


def field(name, value):
    if isinstance(value, str):
        value = np.frombuffer(value.encode(), np.int8), trt.PluginFieldType.CHAR
    array, kind = value if isinstance(value, tuple) else (value, FIELD_TYPES[str(value.dtype)])
    return trt.PluginField(name, array, kind)


def plan_of(case, types):
    """Build the engine of a case, and return what is stored of it."""
    builder = trt.Builder(trt.Logger(trt.Logger.INTERNAL_ERROR))
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    config = builder.create_builder_config()
    config.set_preview_feature(trt.PreviewFeature.ALIASED_PLUGIN_IO_10_03, True)  # noqa: FBT003 - TensorRT's signature
    inputs, profile = [], builder.create_optimization_profile()
    for index, (entry, name) in enumerate(zip(case.data_inputs, types, strict=True)):
        inputs.append(network.add_input(f"in{index}", TYPES[name], entry.network_dims))
        profile.set_shape(f"in{index}", *entry.profile)
    values = [value_in(network, profile, *each) for each in enumerate(case.shape_inputs)]
    config.add_optimization_profile(profile)
    layer = layer_in(network, case, inputs, values)
    for index in range(layer.num_outputs):
        layer.get_output(index).name = f"out{index}"
        network.mark_output(layer.get_output(index))
    return bytes(builder.build_serialized_network(network, config))


def value_in(network, profile, index, entry):
    """Return the tensor whose values a plugin is told: given flat from the host, and reshaped inside."""
    tensor = network.add_input(f"value{index}", TYPES[entry.types[0]], (len(entry.profile[0]),))
    profile.set_shape_input(f"value{index}", *entry.profile)
    shuffle = network.add_shuffle(tensor)
    shuffle.reshape_dims = entry.network_dims
    return shuffle.get_output(0)


class Told(trt.IOutputAllocator):
    """Gives memory for outputs, and keeps the shapes that TensorRT tells."""

    def __init__(self, buffers):
        super().__init__()
        self.buffers, self.shapes = buffers, {}

    def reallocate_output(self, name, *_):
        return self.buffers[name].address

    def notify_shape(self, name, shape):
        self.shapes[name] = tuple(shape)


def run(device, context, arrays, values):
    """Run a context on arrays, and on values that it reads from the host, and return its outputs."""
    engine = context.engine
    names = [engine.get_tensor_name(index) for index in range(engine.num_io_tensors)]
    outputs = [name for name in names if engine.get_tensor_mode(name) == trt.TensorIOMode.OUTPUT]
    buffers = {}
    for index, array in enumerate(arrays):
        buffers[f"in{index}"] = device.allocate(max(array.nbytes, 1))
        buffers[f"in{index}"].write(array)
        context.set_input_shape(f"in{index}", array.shape)
    for index, array in enumerate(values):
        context.set_tensor_address(f"value{index}", array.ctypes.data)
    told = Told(buffers)
    for name in outputs:
        aliased = engine.get_aliased_input_tensor(name)
        buffers[name] = buffers[aliased] if aliased else device.allocate(context.get_max_output_size(name))
        context.set_output_allocator(name, told)
    for name, buffer in buffers.items():
        context.set_tensor_address(name, buffer.address)
    stream = device.new_stream()
    assert context.execute_async_v3(stream.handle)
    stream.synchronize()
    assert device.faults == []
    return [read(buffers[name], engine.get_tensor_dtype(name), told.shapes[name]) for name in outputs]


def read(buffer, kind, shape):
    dtype = np.dtype(trt.nptype(kind))
    return np.frombuffer(buffer.read(np.uint8, int(np.prod(shape)) * dtype.itemsize).tobytes(), dtype).reshape(shape)


def drawn(case, types, corner):
    """Return inputs of a corner of the profile, in which one element in five is zero or negative at random."""
    rng = np.random.default_rng(corner)
    shapes = [entry.profile[corner] for entry in case.data_inputs]
    return [(rng.integers(-4, 5, shape) / 4).astype(name) for shape, name in zip(shapes, types, strict=True)]


def told_values(case, corner):
    """Return the values of the shape inputs at a corner of the profile."""
    return [np.array(entry.profile[corner], entry.types[0]).reshape(entry.network_dims) for entry in case.shape_inputs]


def wanted(case, arrays):
    result = case.reference(*arrays, fields=dict(case.fields))
    return result if isinstance(result, tuple) else (result,)


def assert_right(case, types, device, context, corner):
    arrays, values = drawn(case, types, corner), told_values(case, corner)
    if not case.allows([entry.profile[corner] for entry in case.inputs]):
        return
    for got, want in zip(run(device, context, arrays, values), wanted(case, arrays + values), strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-3 if "float16" in types else 1e-5, atol=2e-3)
        assert np.can_cast(got.dtype, np.asarray(want).dtype)  # an oracle may compute in a wider type


@pytest.mark.parametrize("name", MODULES, ids=lambda name: name.rpartition(".")[2])
def test_a_stored_engine_computes_what_the_oracle_does_in_two_contexts(name):
    with imported(name) as module:
        for case in cases_of(module):
            for types in case.type_choices:
                if len(set(types)) > 1 or "int8" in types:  # a strongly typed network has no scales
                    continue
                device = host.HostDevice()
                with host.use(device), standing_in(case.stand_ins):
                    engine = trt.Runtime(trt.Logger()).deserialize_cuda_engine(plan_of(case, types))
                    contexts = [engine.create_execution_context() for _ in range(2)]
                    for number, corner in ((0, 1), (1, 2), (0, 2), (1, 0), (0, 1)):
                        assert_right(case, types, device, contexts[number], corner)


def test_each_module_is_read_without_a_list_of_ours():
    interfaces = {
        base.attr
        for name in MODULES
        for node in ast.walk(ast.parse((HOME.parent / f"{name.replace('.', '/')}.py").read_text()))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if isinstance(base, ast.Attribute)
    }
    assert {"IPluginV2DynamicExt", "IPluginV3"} <= interfaces
