"""The capabilities of an IPluginV3: how C++ asks for them, and what it reads of them without a call.

Theory. An IPluginV3 hands out capabilities, which may be itself or other objects, made once or for the answer. The gate
is told which plugin each belongs to, so that what is called on a part counts for the whole. The bindings keep a
reference to each answer for good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reference_runtime import native
from reference_runtime.callbacks import made_by, read_attribute
from reference_runtime.callbacks_v3 import capability_callbacks
from reference_runtime.enums import PluginCapabilityType
from reference_runtime.lifecycle import Call
from reference_runtime.lifecycle_v3 import V3
from reference_runtime.plugins.v3 import IPluginV3OneBuild, IPluginV3OneCore

if TYPE_CHECKING:
    from reference_runtime.gate import Gate

__all__ = [
    "Capabilities",
    "capabilities",
    "capability",
    "format_combination_limit",
    "metadata_string",
    "num_outputs",
    "plugin_name",
    "plugin_namespace",
    "plugin_version",
    "timing_cache_id",
]


@dataclass(frozen=True)
class Capabilities:
    """A plugin and the capabilities that it handed out for a phase; each may be the plugin itself."""

    plugin: Any
    core: Any
    build: Any | None
    runtime: Any | None


def capabilities(gate: Gate, plugin: object, *, build: bool) -> Capabilities | None:
    """Ask for the capabilities of the build phase or of the runtime phase; None where one is missing."""
    core = capability(gate, plugin, PluginCapabilityType.CORE)
    if core is None:
        return None
    builds = capability(gate, plugin, PluginCapabilityType.BUILD) if build else None
    if build and builds is None:
        return None
    runtime = capability(gate, plugin, PluginCapabilityType.RUNTIME)
    return None if runtime is None else Capabilities(plugin, core, builds, runtime)


def capability(gate: Gate, plugin: object, kind: PluginCapabilityType) -> Any | None:
    """Ask for one capability.

    The bindings never release what they are given, be it the plugin itself: each answer lives on, as it does here.
    """
    gate.advance(plugin, Call.GET_CAPABILITY_INTERFACE, V3)
    table = capability_callbacks(kind)
    asked = native.made(PluginCapabilityType, value=int(kind))
    part = made_by(gate, plugin, Call.GET_CAPABILITY_INTERFACE, asked, table=table)
    if part is not None:
        gate.join(plugin, part)
        gate.leak(part)
    return part


def plugin_name(gate: Gate, core: object) -> str | None:
    """Return the plugin's name, or a null pointer."""
    return _string(gate, core, "plugin_name")


def plugin_version(gate: Gate, core: object) -> str | None:
    """Return the plugin's version, or a null pointer."""
    return _string(gate, core, "plugin_version")


def plugin_namespace(gate: Gate, core: object) -> str | None:
    """Return the plugin's namespace, or a null pointer."""
    return _string(gate, core, "plugin_namespace")


def num_outputs(gate: Gate, build: object) -> int:
    """Return the number of outputs, or -1 where it was never assigned."""
    return int(read_attribute(gate, build, "num_outputs", IPluginV3OneBuild))


def format_combination_limit(_gate: Gate, build: object) -> int:
    """Return how many combinations the plugin wants to be tried at most: 100 unless it says otherwise."""
    return int(native.read(build, IPluginV3OneBuild, "format_combination_limit"))


def timing_cache_id(_gate: Gate, build: object) -> str | None:
    """Return what the plugin adds to the key of its timings, or a null pointer: its timings are not kept."""
    found: str | None = native.read(build, IPluginV3OneBuild, "timing_cache_id")
    return found


def metadata_string(_gate: Gate, build: object) -> str | None:
    """Return what the plugin says of itself to who inspects an engine, or a null pointer."""
    found: str | None = native.read(build, IPluginV3OneBuild, "metadata_string")
    return found


def _string(gate: Gate, core: object, name: str) -> str | None:
    found: str | None = read_attribute(gate, core, name, IPluginV3OneCore)
    return found
