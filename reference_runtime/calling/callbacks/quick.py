"""Define the results and failures of callbacks that only decorated plugins have; `callbacks.v3` has the others."""

from __future__ import annotations

from typing import Any, Final

from reference_runtime.bound.conversions import Mismatch, instance, int32, is_really, sequence
from reference_runtime.bound.overrides import text
from reference_runtime.calling.callbacks.v2 import Callback
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.values.descriptors import PluginTensorDesc

_NAME_AND_IMAGE: Final = 2


def _kernel(result: Any) -> tuple[str, bytes]:
    """Convert to a kernel's name and its image."""
    if not is_really(result, tuple) or len(result) != _NAME_AND_IMAGE or not is_really(result[1], bytes):
        raise Mismatch
    return text(result[0]), result[1]


_NO_KERNEL: Final = "TensorRT has no kernel to run and does not use the combination"

CALLBACKS: Final[dict[Call, Callback]] = {
    Call.GET_NUM_OUTPUTS: Callback("TensorRT takes the plugin to have no outputs", int32, "int32_t"),
    Call.GET_SUPPORTED_FORMAT_COMBINATIONS: Callback(
        "TensorRT knows no format combination and cannot build the network",
        sequence(instance(PluginTensorDesc)),
        "int32_t",
        named="get_nb_supported_format_combinations",
        plain="list of PluginTensorDesc",
    ),
    Call.GET_TIMING_CACHE_ID: Callback("its timings are not kept", text, "std::string", optional=True),
    Call.GET_METADATA_STRING: Callback("the plugin's metadata are empty", text, "std::string", optional=True),
    Call.GET_LAUNCH_PARAMS: Callback(_NO_KERNEL),
    Call.GET_KERNEL: Callback(_NO_KERNEL, _kernel, "std::tuple<std::string, std::string>", plain="name and bytes"),
}
