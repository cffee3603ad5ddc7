"""Handle a null pointer that a plugin gave TensorRT in a build: a refusal, or the end of the process.

NVIDIA's process dies of a null pointer from ``clone`` or ``attach_to_context`` of an `IPluginV3`, or instead of a
capability. This was observed on TensorRT-RTX 1.7.1. Without BUILD it refuses the plugin and deletes it, and Python
frees it again. What plugins of version 2 give is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.calling.trampolines.capabilities import null_pointer
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface


def no_copy(
    interface: PluginInterface, plugin: Any, method: str, why: str, reason: Reason = Reason.INTERNAL
) -> Exception:
    """Return what to raise if a plugin gave no copy."""
    return null_pointer(plugin, method) if interface.dies_of_null else Refused(why, reason)


def no_capabilities(interface: PluginInterface, plugin: Any, why: str) -> Exception:
    """Return what to raise if a plugin lacks a capability of the build phase."""
    return null_pointer(plugin, "get_capability_interface") if interface.dies_of_null else Refused(why)
