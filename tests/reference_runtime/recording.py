"""A plugin that writes down every call, and what is needed to build engines with it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reference_runtime.backends import host
from reference_runtime.creators import IPluginCreator
from reference_runtime.enums import DataType, TensorFormat
from reference_runtime.expressions import DimsExprs
from reference_runtime.fields import PluginFieldCollection
from reference_runtime.logger import ILogger
from reference_runtime.plugins.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.registry import get_plugin_registry


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

    def get_output_dimensions(self, output_index, inputs, expr_builder):
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

    def create_plugin(self, name, field_collection):
        return self.kind(self.tape, name=self.name)

    def deserialize_plugin(self, name, serialized_plugin):
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


@contextmanager
def registered(creator):
    registry = get_plugin_registry()
    registry.register_creator(creator, creator.plugin_namespace)
    try:
        yield creator
    finally:
        registry.deregister_creator(creator)
