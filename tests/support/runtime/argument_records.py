"""What a callback received, written down as the measured argument records write it."""

from __future__ import annotations

import reference_runtime as trt
from reference_runtime.calling.trampolines import v3
from reference_runtime.interfaces.resources import new_resource_context
from tests.support.runtime import fault_driving as driving
from tests.support.runtime import fault_driving_v3 as driving_v3
from tests.support.runtime.fault_plugins import LOG, v2_class, v3_class
from tests.support.runtime.unordered_gate import UnorderedGate


def record(value):
    """Return an argument as plain data."""
    name = type(value).__name__
    if isinstance(value, (list, trt.DimsExprs)):
        items = [record(item) for item in value]
        return {"py": name, "len": len(items), "items": items}
    if name in _RECORDED:
        return {"py": name} | _RECORDED[name](value)
    return {"py": name}


def _desc(value):
    return {
        "dims": list(value.dims),
        "dims_py": type(value.dims).__name__,
        "type": value.type.name,
        "format": value.format.name,
        "scale": value.scale,
    }


def _dynamic(value):
    return {
        "desc": record(value.desc),
        "min": list(value.min),
        "opt": list(value.opt),
        "max": list(value.max),
    }


def _expression(value):
    return {
        "is_constant": value.is_constant(),
        "value": value.get_constant_value(),
        "is_size_tensor": value.is_size_tensor(),
    }


def _fields(value):
    return {"len": len(value), "fields": [_field(value[place]) for place in range(len(value))]}


def _field(field):
    try:
        data = [field.data.dtype.name, field.data.tolist()]
    except AttributeError as error:
        data = ["AttributeError", str(error)]
    return {"name": field.name, "type": field.type.name, "size": field.size, "data": data}


def _value(value):
    return {"value": value.decode() if isinstance(value, bytes) else value}


_RECORDED = {
    **dict.fromkeys(("int", "str", "bytes", "NoneType"), _value),
    **dict.fromkeys(("DataType", "PluginCapabilityType", "TensorRTPhase"), lambda value: {"repr": repr(value)}),
    "PluginTensorDesc": _desc,
    "DynamicPluginTensorDesc": _dynamic,
    "IDimensionExpr": _expression,
    "PluginFieldCollection_": _fields,
}


def calls(called):
    """Return the noted calls in the form in which these were measured: names, or lengths and numbers, or everything."""
    if not called or isinstance(called[0], str):
        return [method for method, _, _ in LOG]
    if len(called[0]) == 2:
        return [[method, numbers] for method, numbers, _ in LOG]
    return [[method, [record(argument) for argument in arguments], {}] for method, _, arguments in LOG]


def received_by(iface, inputs, method, positional):
    """Return what a sound plugin receives, the call being made as it was when this was measured."""
    cls = v2_class() if iface == "IPluginV2DynamicExt" else v3_class(build=trt.IPluginV3OneBuildV2)
    plugin, gate, seen = cls(), UnorderedGate(quiet=True), []
    _listen(cls, method, seen)
    _ASKS[iface == "IPluginV3", method](gate, plugin, inputs, positional)
    return seen[-1]


def _listen(cls, method, seen):
    sound = getattr(cls, method)

    def listening(self, *arguments):
        seen.append([record(argument) for argument in arguments])
        return sound(self, *arguments)

    setattr(cls, method, listening)


def _numbers(positional):
    return [argument["value"] for argument in positional if argument["py"] == "int"]


def _configured(gate, plugin, inputs, positional):
    driving.configure(gate, plugin, inputs)
    driving.run(gate, plugin, inputs, *_numbers(positional))


def _shaped(gate, plugin, inputs, positional):
    driving_v3.shape_change(gate, plugin, inputs)
    driving_v3.run_v3(gate, plugin, inputs, *_numbers(positional))


def _attached(gate, plugin, _inputs, positional):
    given = new_resource_context() if positional[0]["py"] == "IPluginResourceContext" else None
    v3.attach_to_context(gate, plugin, given)


def _asked(gate, plugin, _inputs, positional):
    kind = next(kind for kind in (driving.BUILD, driving.RUNTIME) if repr(kind) == positional[0]["repr"])
    v3.capability(gate, plugin, kind)


def _plain(ask, *, counted=True):
    return lambda gate, plugin, inputs, _positional: ask(gate, plugin, *([inputs] if counted else []))


def _shapes(gate, plugin, inputs, _positional):
    driving_v3.output_shapes(gate, plugin, inputs, shape_inputs=min(inputs, 1))


_ASKS = {
    (False, "get_output_datatype"): _plain(driving.output_datatype),
    (False, "get_output_dimensions"): _plain(driving.output_dimensions),
    (False, "supports_format_combination"): _plain(driving.supports),
    (False, "configure_plugin"): _plain(driving.configure),
    (False, "get_workspace_size"): _plain(driving.workspace),
    (False, "enqueue"): _configured,
    **{
        (False, name): _plain(driving.V2_ASKS[name], counted=False)
        for name in ("initialize", "serialize", "terminate", "destroy")
    },
    (True, "get_capability_interface"): _asked,
    (True, "get_output_data_types"): _plain(driving_v3.output_data_types),
    (True, "get_output_shapes"): _shapes,
    (True, "supports_format_combination"): _plain(driving_v3.supports_v3),
    (True, "configure_plugin"): _plain(driving_v3.configure_v3),
    (True, "get_workspace_size"): _plain(driving_v3.workspace_v3),
    (True, "on_shape_change"): _plain(driving_v3.shape_change),
    (True, "enqueue"): _shaped,
    (True, "attach_to_context"): _attached,
    **{
        (True, name): _plain(driving_v3.V3_ASKS[name], counted=False)
        for name in ("get_valid_tactics", "get_aliased_input", "set_tactic", "get_fields_to_serialize")
    },
}
