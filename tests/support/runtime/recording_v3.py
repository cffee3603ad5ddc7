"""A plugin of version 3 that writes down every call, its creator, and a shop for engines with it."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np

from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.interfaces.creators import IPluginCreatorV3One
from reference_runtime.interfaces.field_collections import PluginField, PluginFieldCollection
from reference_runtime.interfaces.v3 import (
    IPluginV3,
    IPluginV3OneBuild,
    IPluginV3OneBuildV2,
    IPluginV3OneCore,
    IPluginV3OneRuntime,
)
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DataType, PluginCapabilityType, PluginFieldType, TensorFormat, TensorRTPhase
from tests.support.runtime.recording import Shop, Tape, load, plain, registered, store


class _Calls:
    """What a recorder of version 3 does, whichever build interface it has."""

    def __init__(self, tape: Tape, *, inputs=1, outputs=1, factor=2.0, name="RecorderV3", phase=None):
        IPluginV3.__init__(self)
        IPluginV3OneCore.__init__(self)
        self.BUILD.__init__(self)
        IPluginV3OneRuntime.__init__(self)
        tape.objects += 1
        self.number = tape.objects
        self.tape, self.inputs, self.factor, self.phase = tape, inputs, factor, phase
        self.num_outputs = outputs
        self.plugin_name = name
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.types = [DataType.FLOAT, DataType.HALF]
        self.formats = [TensorFormat.LINEAR]
        self.workspace = 64
        self.tactics: list[int] = []
        self.tactic = None
        self.resource_context = None

    def note(self, method, *arguments):
        self.tape.calls.append((self.number, method, tuple(plain(argument) for argument in arguments)))

    def get_capability_interface(self, kind):
        self.note("get_capability_interface", PluginCapabilityType(kind))
        return self

    def get_output_data_types(self, input_types):
        self.note("get_output_data_types", input_types)
        return [input_types[0]] * self.num_outputs

    def get_output_shapes(self, inputs, shape_inputs, _expr_builder):
        self.note("get_output_shapes", len(inputs), len(shape_inputs))
        return [DimsExprs(inputs[0]) for _ in range(self.num_outputs)]

    def supports_format_combination(self, pos, in_out, num_inputs):
        self.note("supports_format_combination", pos, in_out, num_inputs)
        desc = in_out[pos].desc
        return desc.type in self.types and desc.format in self.formats and desc.type == in_out[0].desc.type

    def configure_plugin(self, in_, out):
        self.note("configure_plugin", in_, out)

    def get_valid_tactics(self):
        self.note("get_valid_tactics")
        return list(self.tactics)

    def get_workspace_size(self, in_, out):
        self.note("get_workspace_size", in_, out)
        return self.workspace

    def attach_to_context(self, resource_context):
        self.note("attach_to_context", resource_context)
        copy = self.copied()
        copy.resource_context = resource_context
        return copy

    def set_tactic(self, tactic):
        self.note("set_tactic", tactic)
        self.tactic = tactic

    def on_shape_change(self, in_, out):
        self.note("on_shape_change", in_, out)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.note("enqueue", input_desc, output_desc, inputs, outputs, workspace, stream)
        for place, address in enumerate(outputs):
            total = sum(load(desc, source) for desc, source in zip(input_desc, inputs, strict=True))
            store(output_desc[place], address, total * self.factor + place)

    def get_fields_to_serialize(self):
        self.note("get_fields_to_serialize")
        self.kept = [np.array([self.inputs, self.num_outputs], np.int32), np.array([self.factor], np.float64)]
        return PluginFieldCollection(
            [
                PluginField("counts", self.kept[0], PluginFieldType.INT32),
                PluginField("factor", self.kept[1], PluginFieldType.FLOAT64),
            ]
        )

    def clone(self):
        self.note("clone")
        return self.copied()

    def copied(self):
        copy = type(self)(
            self.tape, inputs=self.inputs, outputs=self.num_outputs, factor=self.factor, name=self.plugin_name
        )
        kept = {key: value for key, value in self.__dict__.items() if key not in ("number", "resource_context")}
        copy.__dict__.update(kept)
        for name in ("format_combination_limit", "timing_cache_id", "metadata_string"):
            value = getattr(self, name)
            if value is not None:
                setattr(copy, name, value)
        return copy

    def destroy(self):
        self.note("destroy")


class RecorderV3(_Calls, IPluginV3, IPluginV3OneCore, IPluginV3OneBuild, IPluginV3OneRuntime):
    """Adds its inputs and multiplies by ``factor``; one object for all capabilities."""

    BUILD = IPluginV3OneBuild


class Aliasing(_Calls, IPluginV3, IPluginV3OneCore, IPluginV3OneBuildV2, IPluginV3OneRuntime):
    """The same, in place: output 0 shares the memory of input 0."""

    BUILD = IPluginV3OneBuildV2

    def get_aliased_input(self, output):
        self.note("get_aliased_input", output)
        return 0 if output == 0 else -1


class CreatorV3(IPluginCreatorV3One):
    """Makes recorders of version 3; those of an engine find their tape again, and what they serialized."""

    def __init__(self, tape: Tape, name="RecorderV3", kind=RecorderV3):
        super().__init__()
        self.name = name
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = PluginFieldCollection([])
        self.tape, self.kind = tape, kind
        self.made: list[tuple[str, TensorRTPhase, dict]] = []

    def create_plugin(self, name, fields, phase):
        given = {field.name: np.array(field.data) for field in fields}
        self.made.append((name, phase, given))
        options = {}
        if "counts" in given:
            options = {
                "inputs": int(given["counts"][0]),
                "outputs": int(given["counts"][1]),
                "factor": float(given["factor"][0]),
            }
        return self.kind(self.tape, name=self.name, phase=phase, **options)


class ShopV3(Shop):
    """A shop whose networks are made of recorders of version 3."""

    def network(self, dims=(-1, 3, -1), dtype=DataType.FLOAT, *, flags=0, chain=1, inputs=1, outputs=1, kind=None):
        network = self.builder.create_network(flags)
        tensors = [network.add_input(f"x{place}", dtype, dims) for place in range(inputs)]
        for _ in range(chain):
            plugin = (kind or self.kind)(self.tape, inputs=len(tensors), outputs=outputs)
            tensors = self.add(network, tensors, plugin)
        self.mark(network, tensors)
        return network

    def add(self, network, tensors, plugin, shape_inputs=()):
        layer = network.add_plugin_v3(tensors, list(shape_inputs), plugin)
        assert layer is not None, self.log.errors
        return [layer.get_output(place) for place in range(layer.num_outputs)]

    def mark(self, network, tensors):
        for place, tensor in enumerate(tensors):
            tensor.name = f"y{place}"
            network.mark_output(tensor)


@contextmanager
def shop_v3(seed=0, kind=RecorderV3, gate=None):
    gate = gate or Gate(quiet=True)
    with watching(gate), scheduling(seed):
        made = ShopV3(gate, kind)
        made.creator = CreatorV3(made.tape, kind=kind)
        with registered(made.creator):
            yield made
