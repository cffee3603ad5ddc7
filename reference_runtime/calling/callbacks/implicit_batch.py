"""Treat callbacks of the implicit-batch interfaces in Python: an extension of this runtime.

The genuine bindings of these interfaces wrap plugins of C++ and call no Python, so this runtime defines the effects. A
failure has the same effect as in the bindings' `IPluginV2DynamicExt`. Results follow the documents: ``initialize`` and
``execute_async`` return 0 for success. ``initialize`` may also return None. For an output that does not exist, a plugin
in C++ returns a shape of -1 dimensions. A plugin in Python cannot make that `Dims`, and returns None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.conversions import int32, size_t
from reference_runtime.calling.callbacks.v2 import CALLBACKS, Callback, pointer, truth, value
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.v2 import IPluginV2
from reference_runtime.interfaces.v2_ext import IPluginV2Ext
from reference_runtime.values.dims import to_dims
from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_COPY: Final = "TensorRT has no copy to work with"


def _shape(result: Any) -> Any:
    return None if result is None else to_dims(result)


def _status(result: Any) -> int:
    return 0 if result is None else int(int32(result))


IMPLICIT_CALLBACKS: Final[Mapping[Call, Callback]] = {
    **{call: CALLBACKS[call] for call in (Call.TERMINATE, Call.GET_SERIALIZATION_SIZE, Call.SERIALIZE, Call.DESTROY)},
    Call.GET_OUTPUT_SHAPE: Callback("TensorRT has no shape for the output", _shape, "nvinfer1::Dims"),
    Call.GET_OUTPUT_DATA_TYPE: Callback(
        "TensorRT takes the output's type to be FLOAT", value(DataType), "nvinfer1::DataType"
    ),
    Call.SUPPORTS_FORMAT: Callback("TensorRT takes the format to be unsupported", truth, "bool"),
    Call.SUPPORTS_FORMAT_COMBINATION: Callback("TensorRT takes the combination to be unsupported", truth, "bool"),
    Call.IS_OUTPUT_BROADCAST_ACROSS_BATCH: Callback(
        "TensorRT takes the output not to be broadcast", truth, "bool", optional=True
    ),
    Call.CAN_BROADCAST_INPUT_ACROSS_BATCH: Callback("TensorRT copies the input", truth, "bool", optional=True),
    Call.CONFIGURE_WITH_FORMAT: Callback("TensorRT goes on as if the plugin were configured"),
    Call.CONFIGURE_PLUGIN: Callback("TensorRT goes on as if the plugin were configured"),
    Call.GET_WORKSPACE_SIZE: Callback("TensorRT goes on with a workspace of 0 bytes", size_t, "size_t", optional=True),
    Call.INITIALIZE: Callback("TensorRT does not use the object", _status, "int32_t", optional=True, thrown=True),
    Call.ATTACH_TO_CONTEXT: Callback("TensorRT goes on as if the plugin were attached", optional=True),
    Call.DETACH_FROM_CONTEXT: Callback("TensorRT goes on as if the plugin were detached", optional=True),
    Call.EXECUTE_ASYNC: Callback("the execution fails, and TensorRT gives no reason", int32, "int32_t", thrown=True),
    Call.CLONE: Callback(_NO_COPY, pointer(IPluginV2), "nvinfer1::IPluginV2"),
}

EXTENDED_CALLBACKS: Final[Mapping[Call, Callback]] = {
    **IMPLICIT_CALLBACKS,
    Call.CLONE: Callback(_NO_COPY, pointer(IPluginV2Ext), "nvinfer1::IPluginV2Ext"),
}
"""`IMPLICIT_CALLBACKS` for an `IPluginV2Ext`, whose clones must be `IPluginV2Ext` objects, too."""
