"""What the measured harness did with plugins of version 3, done through the trampolines; see `fault_driving`."""

from __future__ import annotations

from reference_runtime.calling.trampolines import v3
from reference_runtime.interfaces.resources import new_resource_context
from reference_runtime.interfaces.v3 import CAPABILITIES
from reference_runtime.shapes import expressions
from tests.support.runtime.fault_driving import (
    ADDRESSES,
    BUILD,
    CORE,
    FLOAT,
    INPUTS,
    INT32,
    OUTPUT,
    RUNTIME,
    own,
    pointer,
    ranged,
    shown,
)


def capability_interfaces(gate, plugin):
    return {kind.name: interface(gate, plugin, kind) for kind in (CORE, BUILD, RUNTIME)}


def interface(gate, plugin, kind):
    part = v3.capability(gate, plugin, kind)
    if part is None:
        return "nullptr"
    info = next(cls for cls in CAPABILITIES[kind] if isinstance(part, cls))().interface_info
    return f"{info.kind} {info.major}.{info.minor}"


def cloned_v3(gate, plugin):
    own(gate, plugin)
    copy = v3.clone(gate, plugin)
    if copy is None:
        return {"clone": "nullptr"}
    core = v3.capability(gate, copy, CORE)
    found = {"clone": pointer(copy, plugin), "core": core is not None}
    if core is not None:
        found["name"] = v3.plugin_name(gate, core)
        found["nbOutputs"] = v3.num_outputs(gate, v3.capability(gate, copy, BUILD))
    v3.destroy(gate, copy)
    v3.destroy(gate, plugin)
    return found | {"~IPluginV3(clone)": "returned", "~IPluginV3(original)": "returned"}


def build(ask):
    return lambda gate, plugin, *more, **named: ask(gate, v3.capability(gate, plugin, BUILD), *more, **named)


def runtime(ask):
    return lambda gate, plugin, *more, **named: ask(gate, v3.capability(gate, plugin, RUNTIME), *more, **named)


@build
def output_data_types(gate, part, inputs=2, count=1):
    types = v3.get_output_data_types(gate, part, [FLOAT, INT32][:inputs], count)
    return filled("outputTypes", types, count, int)


@build
def output_shapes(gate, part, inputs=2, count=1, shape_inputs=1):
    builder = expressions.new_builder(sizes=True)
    dims = [expressions.input_dims(builder, place, ranged(INPUTS[place]).desc.dims) for place in range(inputs)]
    values = [expressions.value_dims(builder, place, [None, None]) for place in range(shape_inputs)]
    return filled("outputs", v3.get_output_shapes(gate, part, dims, values, builder, count), count, shown)


def filled(name, found, count, show):
    if found is None:
        return {"status": -1, name: ["untouched"] * count}
    return {"status": 0, name: [show(one) for one in found]}


@build
def supports_v3(gate, part, inputs=2):
    in_out = [ranged(one) for one in (*INPUTS[:inputs], OUTPUT)]
    return v3.supports_format_combination(gate, part, 0, in_out, inputs)


@build
def configure_v3(gate, part, inputs=2):
    return v3.configure_plugin(gate, part, [ranged(one) for one in INPUTS[:inputs]], [ranged(OUTPUT)])


@build
def workspace_v3(gate, part, inputs=2):
    return v3.get_workspace_size(gate, part, [ranged(one) for one in INPUTS[:inputs]], [ranged(OUTPUT)])


@build
def valid_tactics(gate, part):
    count = v3.count_tactics(gate, part)
    if count < 0:  # C++ did not go on then, and its own tactics stayed as they were
        return {"getNbTactics": count, "getValidTactics": {"status": 0, "tactics": []}}
    return {"getNbTactics": count, "getValidTactics": fetched(gate, part, count)}


def fetched(gate, part, count):
    tactics = v3.fetch_tactics(gate, part, count)
    return {"status": -1, "tactics": []} if tactics is None else {"status": 0, "tactics": tactics}


@runtime
def shape_change(gate, part, inputs=2):
    return v3.on_shape_change(gate, part, INPUTS[:inputs], [OUTPUT])


@runtime
def run_v3(gate, part, inputs=2, workspace=0, stream=0):
    given = INPUTS[:inputs], [OUTPUT], ADDRESSES[:inputs], [8192]
    return v3.enqueue(gate, part, *given, workspace, stream)


def shaped_run(gate, plugin):
    shape_change(gate, plugin)
    return run_v3(gate, plugin)


@runtime
def attached(gate, part):
    return pointer(v3.attach_to_context(gate, part, new_resource_context()), part)


@runtime
def saved_fields(gate, part):
    fields = v3.get_fields_to_serialize(gate, part)
    if fields is None:
        return {"fields": "NULL"}
    listed = "".join(f"{one.name}/{int(one.type)}/{one.length};" for one in fields)
    data = "".join(f"{one.name}={one.data.hex()};" for one in fields)
    return {"fields": f"{len(fields)}:{listed}", "bytes_read_later": data}


V3_ASKS = {
    "get_capability_interface": capability_interfaces,
    "clone": cloned_v3,
    "destroy": v3.destroy,
    "get_output_data_types": output_data_types,
    "get_output_shapes": output_shapes,
    "supports_format_combination": supports_v3,
    "configure_plugin": configure_v3,
    "get_workspace_size": workspace_v3,
    "get_valid_tactics": valid_tactics,
    "get_aliased_input": build(lambda gate, part: v3.get_aliased_input(gate, part, 0)),
    "on_shape_change": shape_change,
    "set_tactic": runtime(lambda gate, part: v3.set_tactic(gate, part, 5)),
    "enqueue": shaped_run,
    "attach_to_context": attached,
    "get_fields_to_serialize": saved_fields,
}
