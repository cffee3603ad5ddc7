"""What follows from a null pointer that a plugin gave TensorRT in a build: a refusal, or the end of the process.

NVIDIA's builder uses what an `IPluginV3` gives without a check (observed on TensorRT-RTX 1.7.1): the process dies of a
null pointer from ``clone``, from ``attach_to_context``, or in place of the CORE or RUNTIME capability. It checks the
BUILD capability, and what plugins of version 2 give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.errors import NativeCrash
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.gate.gate import Gate

__all__ = ["no_capabilities", "no_copy"]

_CHECKED = " build capability"


def no_copy(
    interface: PluginInterface, plugin: Any, method: str, why: str, reason: Reason = Reason.INTERNAL
) -> Exception:
    """Return what to raise if a plugin gave no copy."""
    return _crash(plugin, method) if interface.dies_of_null else Refused(why, reason)


def no_capabilities(interface: PluginInterface, gate: Gate, plugin: Any, why: str) -> Exception:
    """Return what to raise if a plugin lacks a capability of the build phase; the gate knows which."""
    checked = not interface.dies_of_null or (gate.failures and _CHECKED in gate.failures[-1].becomes)
    return Refused(why) if checked else _crash(plugin, "get_capability_interface")


def _crash(plugin: Any, method: str) -> NativeCrash:
    return NativeCrash(
        f"{method} of a {type(plugin).__name__} gave a null pointer: TensorRT dies here. "
        f"Return an object from {method}, and let no exception out of it."
    )
