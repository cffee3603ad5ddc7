"""A plugin that writes down every call, and what is needed to build engines with it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reference_runtime.builder.builder import Builder
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.devices import host
from reference_runtime.engine.runtime import Runtime
from reference_runtime.interfaces.creators import IPluginCreator
from reference_runtime.interfaces.field_collections import PluginFieldCollection
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DataType, TensorFormat, TensorIOMode
from reference_runtime.values.logger import ILogger


@dataclass
class Tape:
    """The calls on all objects of a family, as (object number, method, arguments in plain form)."""

    calls: list[tuple[int, str, tuple[Any, ...]]] = field(default_factory=list)
    objects: int = 0

    def methods(self, number: int | None = None) -> list[str]:
        return [method for who, method, _ in self.calls if number in (None, who)]

    def of(self, *methods: str) -> list[tuple[int, str, tuple[Any, ...]]]:
        return [call for call in self.calls if call[1] in methods]

    def without(self, *methods: str) -> list[tuple[int, str]]:
        return [(who, method) for who, method, _ in self.calls if method not in methods]


def plain(value: Any) -> Any:
    """Return an argument as values that can be compared, taken at the time of the call."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, "desc"):
        return (plain(value.desc), tuple(value.min), tuple(value.opt), tuple(value.max))
    if hasattr(value, "scale"):
        return (tuple(value.dims), value.type, value.format, value.scale)
    return value


class Recorder(IPluginV2DynamicExt):
    """Adds its ``inputs`` and multiplies by ``factor``; writes each of its ``outputs``; records everything."""

    def __init__(self, tape: Tape, *, inputs: int = 1, outputs: int = 1, factor: float = 2.0, name: str = "Recorder"):
        super().__init__()
        tape.objects += 1
        self.number = tape.objects
        self.tape, self.inputs, self.factor = tape, inputs, factor
        self.num_outputs = outputs
        self.plugin_type = name
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.types = [DataType.FLOAT, DataType.HALF, DataType.INT8]
        self.formats = [TensorFormat.LINEAR]
        self.workspace = 64

    def note(self, method: str, *arguments: Any) -> None:
        self.tape.calls.append((self.number, method, tuple(plain(argument) for argument in arguments)))

    def get_output_datatype(self, index, input_types):
        self.note("get_output_datatype", index, list(input_types))
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, _expr_builder):
        self.note("get_output_dimensions", output_index, len(inputs))
        return DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, num_inputs):
        self.note("supports_format_combination", pos, in_out, num_inputs)
        desc = in_out[pos]
        return desc.type in self.types and desc.format in self.formats and desc.type == in_out[0].type

    def configure_plugin(self, in_, out):
        self.note("configure_plugin", in_, out)

    def get_workspace_size(self, in_, out):
        self.note("get_workspace_size", in_, out)
        return self.workspace

    def initialize(self):
        self.note("initialize")

    def terminate(self):
        self.note("terminate")

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.note("enqueue", input_desc, output_desc, inputs, outputs, workspace, stream)
        for place, address in enumerate(outputs):
            total = sum(load(desc, source) for desc, source in zip(input_desc, inputs, strict=True))
            store(output_desc[place], address, total * self.factor + place)

    def serialize(self):
        self.note("serialize")
        return f"{self.inputs} {self.num_outputs} {self.factor}".encode()

    def clone(self):
        self.note("clone")
        copy = type(self)(
            self.tape, inputs=self.inputs, outputs=self.num_outputs, factor=self.factor, name=self.plugin_type
        )
        copy.__dict__.update({key: value for key, value in self.__dict__.items() if key != "number"})
        return copy

    def destroy(self):
        self.note("destroy")


NUMPY = {
    DataType.FLOAT: np.float32,
    DataType.HALF: np.float16,
    DataType.INT8: np.int8,
    DataType.INT32: np.int32,
}


def load(desc, address):
    raw = host.view(address, int(np.prod(tuple(desc.dims))) * np.dtype(numpy_type(desc)).itemsize)
    return np.frombuffer(raw, numpy_type(desc)).reshape(tuple(desc.dims)).astype(np.float32)


def store(desc, address, values):
    data = values.astype(numpy_type(desc)).tobytes()
    host.view(address, len(data))[:] = data


def numpy_type(desc):
    return next(dtype for member, dtype in NUMPY.items() if member == desc.type)


class Creator(IPluginCreator):
    """Makes recorders, and finds their tape again when one is deserialized."""

    def __init__(self, tape: Tape, name: str = "Recorder", kind: type[Recorder] = Recorder):
        super().__init__()
        self.name = name
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = PluginFieldCollection([])
        self.tape, self.kind = tape, kind

    def create_plugin(self, _name, _fields):
        return self.kind(self.tape, name=self.name)

    def deserialize_plugin(self, _name, serialized_plugin):
        inputs, outputs, factor = serialized_plugin.decode().split()
        return self.kind(self.tape, inputs=int(inputs), outputs=int(outputs), factor=float(factor), name=self.name)


class Log(ILogger):
    """Keeps what the runtime says."""

    def __init__(self):
        super().__init__()
        self.lines: list[tuple[Any, str]] = []

    def log(self, severity, msg):
        self.lines.append((severity, msg))

    @property
    def errors(self) -> list[str]:
        return [text for severity, text in self.lines if severity == ILogger.ERROR]


class Shop:
    """A builder and a runtime around one tape, log and gate."""

    def __init__(self, gate: Gate, kind: type[Recorder]):
        self.gate, self.kind = gate, kind
        self.tape = Tape()
        self.log = Log()
        self.builder = Builder(self.log)
        self.runtime = Runtime(self.log)
        self.config = self.builder.create_builder_config()

    def network(self, dims=(-1, 3, -1), dtype=DataType.FLOAT, *, flags=0, chain=1, inputs=1, outputs=1, kind=None):
        """A network of recorders, each fed by the one before it, with all outputs of the last marked."""
        network = self.builder.create_network(flags)
        tensors = [network.add_input(f"x{place}", dtype, dims) for place in range(inputs)]
        for _ in range(chain):
            plugin = (kind or self.kind)(self.tape, inputs=len(tensors), outputs=outputs)
            layer = network.add_plugin_v2(tensors, plugin)
            tensors = [layer.get_output(place) for place in range(outputs)]
        for place, tensor in enumerate(tensors):
            tensor.name = f"y{place}"
            network.mark_output(tensor)
        return network

    def profile(self, least=(1, 3, 2), best=(2, 3, 4), greatest=(4, 3, 8), *, inputs=1):
        profile = self.builder.create_optimization_profile()
        for place in range(inputs):
            profile.set_shape(f"x{place}", least, best, greatest)
        self.config.add_optimization_profile(profile)

    def build(self, network):
        memory = self.builder.build_serialized_network(network, self.config)
        assert memory is not None, self.log.errors
        return bytes(memory)

    def engine(self, network=None, **options):
        if network is None:
            if self.config.num_optimization_profiles == 0:
                self.profile(inputs=options.get("inputs", 1))
            network = self.network(**options)
        engine = self.runtime.deserialize_cuda_engine(self.build(network))
        assert engine is not None, self.log.errors
        return engine


@contextmanager
def shop(seed=0, kind=Recorder, gate=None):
    gate = gate or Gate(quiet=True)
    with watching(gate), scheduling(seed):
        made = Shop(gate, kind)
        with registered(Creator(made.tape, kind=kind)):
            yield made


def bind(context, shapes, dtype=np.float32):
    """Give a context inputs of 0, 1, 2 ... and poisoned outputs; return both as device buffers by name."""
    engine, buffers = context.engine, {}
    for name, shape in shapes.items():
        assert context.set_input_shape(name, shape)
    for place in range(engine.num_io_tensors):
        name = engine.get_tensor_name(place)
        shape = tuple(context.get_tensor_shape(name))
        buffers[name] = host.current_device().allocate(int(np.prod(shape)) * np.dtype(dtype).itemsize, label=name)
        if engine.get_tensor_mode(name) == TensorIOMode.INPUT:
            buffers[name].write(np.arange(np.prod(shape)).astype(dtype).reshape(shape))
        assert context.set_tensor_address(name, buffers[name].address)
    return buffers


def result(context, buffers, name="y0", dtype=np.float32):
    return buffers[name].read(dtype, tuple(context.get_tensor_shape(name)))


@contextmanager
def registered(creator):
    registry = get_plugin_registry()
    registry.register_creator(creator, creator.plugin_namespace)
    try:
        yield creator
    finally:
        registry.deregister_creator(creator)
