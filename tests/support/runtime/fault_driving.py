"""What the measured harness did with plugins, creators and resources, done through the trampolines.

Every function here asks as C++ asked when the fault table was measured, and shows the answer as the table shows it. The
gate must not insist on the documented order, for C++ did not keep it either.
"""

from __future__ import annotations

import re

import numpy as np

import reference_runtime as trt
from reference_runtime.bound import bound_class
from reference_runtime.calling.callbacks.v2 import read_attribute
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.calling.lifecycle.v3 import V3
from reference_runtime.calling.trampolines import quick, resources, v2, v3
from reference_runtime.interfaces.field_collections import received
from reference_runtime.shapes import expression_nodes, expressions
from reference_runtime.values.descriptions import Bounds, Description

FLOAT, HALF, INT32 = trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.INT32
LINEAR = trt.TensorFormat.LINEAR
INPUTS = [Description((1, 64, 64 + place), FLOAT, LINEAR, 1.0) for place in range(2)]
OUTPUT = Description((1, 64, 64), HALF, LINEAR, 1.0)
ADDRESSES = [4096, 4097]
CORE, BUILD, RUNTIME = (getattr(trt.PluginCapabilityType, name) for name in ("CORE", "BUILD", "RUNTIME"))
PHASE = trt.TensorRTPhase.RUNTIME


def ranged(desc):
    _, *rest = desc.dims
    return Bounds(desc.sized((-1, *rest)), (1, *rest), (4, *rest), (8, *rest))


def exact(desc):
    return Bounds(desc, desc.dims, desc.dims, desc.dims)


# -- what C++ does with a plugin of version 2 ---------------------------------------------------------------------


def output_datatype(gate, plugin, inputs=2):
    return int(v2.get_output_datatype(gate, plugin, 0, [FLOAT, INT32][:inputs]))


def output_dimensions(gate, plugin, inputs=2):
    builder = expressions.new_builder()
    dims = [expressions.input_dims(builder, place, ranged(INPUTS[place]).desc.dims) for place in range(inputs)]
    return shown(v2.get_output_dimensions(gate, plugin, 0, dims, builder))


def supports(gate, plugin, inputs=2):
    return v2.supports_format_combination(gate, plugin, 0, [*INPUTS[:inputs], OUTPUT], inputs)


def configure(gate, plugin, inputs=2):
    return v2.configure_plugin(gate, plugin, [ranged(one) for one in INPUTS[:inputs]], [ranged(OUTPUT)])


def workspace(gate, plugin, inputs=2):
    return v2.get_workspace_size(gate, plugin, INPUTS[:inputs], [OUTPUT])


def run(gate, plugin, inputs=2, workspace=0, stream=0):
    given = INPUTS[:inputs], [OUTPUT], ADDRESSES[:inputs], [8192]
    return v2.enqueue(gate, plugin, *given, workspace, stream)


def configured_run(gate, plugin):
    configure(gate, plugin)
    return run(gate, plugin)


def serialized(gate, plugin):
    size = v2.get_serialization_size(gate, plugin)
    buffer = bytearray(b"\xaa" * 64)
    v2.serialize_into(gate, plugin, buffer)
    changed = len(buffer.rstrip(b"\xaa"))
    return {"getSerializationSize": size, "buffer": bytes(buffer[:8]).hex(), "changed": changed}


def own(gate, plugin):
    """Let C++ hold an object as it holds one that a creator made."""
    if isinstance(plugin, trt.IPluginV3):
        gate.adopt(None, plugin, Call.CREATE_PLUGIN, V3)
    else:
        gate.adopt(None, plugin, Call.DESERIALIZE_PLUGIN)
    return plugin


def cloned(gate, plugin):
    own(gate, plugin)
    copy = v2.clone(gate, plugin)
    if copy is None:
        return {"clone": "nullptr"}
    found = {
        "clone": pointer(copy, plugin),
        "type": v2.plugin_type(gate, copy),
        "nbOutputs": v2.num_outputs(gate, copy),
        "enqueue_without_configure": run(gate, copy),
    }
    v2.destroy(gate, copy)
    v2.destroy(gate, plugin)
    return found | {"destroy(clone), destroy(original)": "returned"}


V2_ASKS = {
    "get_output_datatype": output_datatype,
    "get_output_dimensions": output_dimensions,
    "supports_format_combination": supports,
    "configure_plugin": configure,
    "get_workspace_size": workspace,
    "initialize": v2.initialize,
    "terminate": v2.terminate,
    "enqueue": configured_run,
    "serialize": serialized,
    "get_serialization_size": serialized,
    "clone": cloned,
    "destroy": v2.destroy,
}

# -- what C++ does with creators, resources and decorated plugins -------------------------------------------------

GIVEN_FIELDS = [
    trt.PluginField("ints", np.array([7, 8, 9], np.int32), trt.PluginFieldType.INT32),
    trt.PluginField("floats", np.array([1.5, -2.0], np.float32), trt.PluginFieldType.FLOAT32),
    trt.PluginField("text", np.frombuffer(b"hello", np.int8), trt.PluginFieldType.CHAR),
    trt.PluginField("dims", np.zeros(1, np.int64), trt.PluginFieldType.DIMS),
    trt.PluginField("nodata"),
]
GIVEN_FIELDS[-1].type = trt.PluginFieldType.INT32


def created(gate, creator):
    if isinstance(creator, trt.IPluginCreator):
        return v2.create_plugin(gate, creator, "layer", received(GIVEN_FIELDS))
    return v3.create_plugin(gate, creator, "layer", received(GIVEN_FIELDS), PHASE)


def null_or_not(made):
    return "nullptr" if made is None else "non-null"


CREATOR_ASKS = {
    "create_plugin": lambda gate, creator: null_or_not(created(gate, creator)),
    "deserialize_plugin": lambda gate, creator: null_or_not(v2.deserialize_plugin(gate, creator, "layer", b"ab\0cd")),
}
RESOURCE_ASKS = {
    "release": resources.release,
    "clone": lambda gate, resource: pointer(resources.clone(gate, resource), resource),
}


def quick_combinations(gate, plugin):
    in_out = [exact(INPUTS[0]), exact(OUTPUT)]
    count = quick.count_format_combinations(gate, plugin, in_out, 1)
    found = quick.fetch_format_combinations(gate, plugin, in_out, 1)
    return {
        "nb": count,
        "getSupportedFormatCombinations": -1 if found is None else 0,
        "python_calls": gate.observers[0].count,
    }


_SILENT = ("format_combination_limit", "timing_cache_id", "metadata_string")


def attribute(gate, target, owner, name):
    """Read an attribute as C++ does."""
    if name in _SILENT:
        return getattr(v3, name)(gate, target)
    found = read_attribute(gate, target, name, owner)
    if name != "field_names":
        return found
    if found is None:
        return "NULL"
    fields = [found[place] for place in range(len(found))]
    return f"{len(fields)}:" + "".join(f"{field.name}/{int(field.type)}/{field.size};" for field in fields)


def set_namespace(gate, target, namespace):
    v2.set_plugin_namespace(target, namespace)
    return {"C++": v2.plugin_namespace(gate, target), "Python": target.plugin_namespace}


# -- how the table shows it ---------------------------------------------------------------------------------------


def pointer(made, source):
    return "nullptr" if made is None else "same pointer" if made is source else "new pointer"


def shown(dims):
    held = bound_class.state(dims)
    if held["length"] < 0:
        return f"BAD nbDims {held['length']}"
    texts = ["null" if slot is None else node_shown(expressions.node_of(slot)) for slot in held["slots"]]
    return f"[{', '.join(texts)}]"


def node_shown(node):
    if isinstance(node, expression_nodes.Size):
        return f"SIZE{node.output}({node_shown(node.optimum)},{node_shown(node.upper)})"
    text = expression_nodes.describe(node).replace(", ", ",")
    text = re.sub(r"shape_inputs\[(\d)\]\[(\d)\]", r"sv\1_\2", text)
    return re.sub(r"inputs\[(\d)\]\[(\d)\]", r"in\1_d\2", text)
