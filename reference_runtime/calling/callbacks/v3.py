"""Treat each callback of an IPluginV3, its capabilities and its creator as the bindings do.

`callbacks.v2` explains the fields of a `Callback`; `trampolines.v3` has the defaults that C++ gets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.conversions import int32, sequence, size_t
from reference_runtime.calling.callbacks.v2 import Callback, NullValue, pointer, truth, value
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.field_collections import PluginField, fields_in
from reference_runtime.interfaces.v3 import IPluginV3, as_capability
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference_runtime.values.enums import PluginCapabilityType


def _fields(result: Any) -> list[PluginField]:
    """Convert a result to field records; it must be a field collection, not a list of fields."""
    if result is None:
        raise NullValue
    return fields_in(result)


CALLBACKS: Final[dict[Call, Callback]] = {
    Call.CLONE: Callback(
        "TensorRT dies here: it uses a null pointer as the copy", pointer(IPluginV3), "nvinfer1::IPluginV3"
    ),
    Call.DESTROY: Callback("the bindings never release the object", optional=True),
    Call.GET_OUTPUT_DATA_TYPES: Callback(
        "TensorRT knows no output types and cannot build the network",
        sequence(value(DataType)),
        "std::vector<nvinfer1::DataType>",
        thrown=True,
        plain="list of DataType",
    ),
    Call.GET_OUTPUT_SHAPES: Callback(
        "TensorRT knows no output shapes and cannot build the network",
        sequence(value(DimsExprs)),
        "std::vector<nvinfer1::DimsExprs>",
        plain="list of DimsExprs",
    ),
    Call.SUPPORTS_FORMAT_COMBINATION: Callback("TensorRT takes the combination to be unsupported", truth, "bool"),
    Call.CONFIGURE_PLUGIN: Callback("TensorRT does not use the combination", thrown=True),
    Call.GET_WORKSPACE_SIZE: Callback("TensorRT goes on with a workspace of 0 bytes", size_t, "size_t", optional=True),
    Call.GET_VALID_TACTICS: Callback(
        "TensorRT does not use the combination",
        sequence(int32),
        "std::vector<int32_t>",
        optional=True,
        thrown=True,
        plain="list of integers of 32 bits",
    ),
    Call.GET_ALIASED_INPUT: Callback("TensorRT takes the output to alias no input", int32, "int32_t", optional=True),
    Call.ON_SHAPE_CHANGE: Callback("the execution fails, and TensorRT gives no reason", thrown=True),
    Call.SET_TACTIC: Callback("TensorRT does not use the tactic", thrown=True),
    Call.ENQUEUE: Callback("the execution fails, and TensorRT gives no reason", thrown=True),
    Call.ATTACH_TO_CONTEXT: Callback(
        "TensorRT dies here in a build, and cannot make a context", pointer(IPluginV3), "nvinfer1::IPluginV3"
    ),
    Call.GET_FIELDS_TO_SERIALIZE: Callback(
        "TensorRT cannot serialize the plugin", _fields, "nvinfer1::PluginFieldCollection"
    ),
    Call.CREATE_PLUGIN: Callback("TensorRT gets no plugin", pointer(IPluginV3), "IPluginV3*"),
}


def capability_callbacks(kind: PluginCapabilityType) -> Mapping[Call, Callback]:
    """Return the table for ``get_capability_interface`` with one kind of capability."""
    word = kind.name.lower()
    return {
        Call.GET_CAPABILITY_INTERFACE: Callback(
            f"TensorRT has no {word} capability and dies here",
            lambda result: as_capability(kind, result),
            f" a valid {word} capability interface",  # the bindings' words have two spaces here
            plain=f"{word} capability",
        )
    }
