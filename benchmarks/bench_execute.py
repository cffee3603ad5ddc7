"""Measure the CPU time of one ``execute_async_v3`` without the plugin: the engine's only plugin does nothing.

    python benchmarks/bench_execute.py

The script prints the time for each interface, the best of several rounds.
"""

from __future__ import annotations

import itertools
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import numpy as np

import reference_runtime as trt
from reference_runtime.devices import host

CALLS = 2_000
ROUNDS = 7


class _Empty:
    """The methods that both plugins share; ``enqueue`` does nothing."""

    def supports_format_combination(self, pos, in_out, _num_inputs):
        desc = in_out[pos]
        return getattr(desc, "desc", desc).format == trt.TensorFormat.LINEAR

    def configure_plugin(self, _inputs, _outputs):
        pass

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        pass


class EmptyV2(_Empty, trt.IPluginV2DynamicExt):
    def __init__(self):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type, self.plugin_version, self.plugin_namespace, self.num_outputs = "Empty", "2", "", 1

    def get_output_datatype(self, _index, input_types):
        return input_types[0]

    def get_output_dimensions(self, _index, inputs, _builder):
        return inputs[0]

    def serialize(self):
        return b""

    def clone(self):
        return EmptyV2()


class EmptyV3(_Empty, trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self):
        for base in (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
            base.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace, self.num_outputs = "Empty", "3", "", 1

    def get_capability_interface(self, _kind):
        return self

    def get_output_data_types(self, input_types):
        return input_types

    def get_output_shapes(self, inputs, _shape_inputs, _builder):
        return inputs

    def set_tactic(self, _tactic):
        pass

    def on_shape_change(self, _inputs, _outputs):
        pass

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])

    def clone(self):
        return EmptyV3()

    def attach_to_context(self, _resources):
        return EmptyV3()


class CreatorV2(trt.IPluginCreator):
    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "Empty", "2", ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, _name, _fields):
        return EmptyV2()

    def deserialize_plugin(self, _name, _data):
        return EmptyV2()


class CreatorV3(trt.IPluginCreatorV3One):
    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "Empty", "3", ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, _name, _fields, _phase):
        return EmptyV3()


def context_of(plugin):
    """Return a context, ready to run, of an engine whose only layer is this plugin."""
    logger = trt.Logger()
    builder = trt.Builder(logger)
    network = builder.create_network()
    x = network.add_input("x", trt.float32, (4, 4))
    add = (
        network.add_plugin_v2
        if isinstance(plugin, EmptyV2)
        else lambda inputs, one: network.add_plugin_v3(inputs, [], one)
    )
    layer = add([x], plugin)
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    engine = builder.build_engine_with_config(network, builder.create_builder_config())
    context = engine.create_execution_context()
    for name in ("x", "y"):
        buffer = host.current_device().allocate(64, label=name)
        context.set_tensor_address(name, buffer.address)
    return context


def per_call(call, *arguments):
    """Return the nanoseconds of one call, in the best of several rounds."""
    best = []
    for _ in range(ROUNDS):
        started = time.process_time_ns()
        for _ in itertools.repeat(None, CALLS):
            call(*arguments)
        best.append((time.process_time_ns() - started) / CALLS)
    return min(best)


def main():
    registry = trt.get_plugin_registry()
    registry.register_creator(CreatorV2(), "")
    registry.register_creator(CreatorV3(), "")
    for plugin in (EmptyV2(), EmptyV3()):
        context = context_of(plugin)
        assert context.execute_async_v3(0)
        print(f"{type(plugin).__mro__[2].__name__:<22}{per_call(context.execute_async_v3, 0) / 1000:>7.1f} us")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
