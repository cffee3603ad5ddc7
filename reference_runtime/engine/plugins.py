"""The plugins of an engine: how each is made from a plan.

Theory. Each plugin is made by the creator that the registry has under its type (or name), version and namespace. It
belongs to the engine from then on. One of version 2 is deserialized, given its namespace, initialized, and in the end
terminated and destroyed. A plugin of version 3 is created in the runtime phase from fields that are deep copies. The
build's plugin and its fields may no longer exist. They are lent for that single call. It must offer its core and
runtime capabilities, needs no more preparation, and in the end is destroyed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.calling.adapters.creators import restored
from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick
from reference_runtime.plan import PLUGIN_V3
from reference_runtime.registry.registry import find_creator
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.plan import LayerPlan, PluginPlan
    from reference_runtime.registry.registry import IPluginRegistry


def make(layer: LayerPlan, identity: PluginPlan, gate: Gate, registry: IPluginRegistry) -> Any:
    """Return the plugin of a layer, which belongs to TensorRT, or raise `Refused`."""
    if layer.kind == PLUGIN_V3:
        creator = _creator(registry, identity, IPluginCreatorV3One, IPluginCreatorV3Quick)
        plugin = restored(gate, creator, layer.name, layer.fields)
        made_by = "create_plugin"
    else:
        creator = _creator(registry, identity, IPluginCreator)
        plugin = restored(gate, creator, layer.name, layer.payload)
        made_by = "deserialize_plugin"
    if plugin is None:
        raise Refused(f"{layer.name}: the creator's {made_by} gave no plugin", Reason.SERIALIZATION)
    return plugin


def _creator(registry: IPluginRegistry, plugin: PluginPlan, *classes: type) -> Any:
    creator = find_creator(registry, (plugin.type, plugin.version, plugin.namespace))
    if not isinstance(creator, classes):
        why = f"Cannot find plugin: {plugin.type}, version: {plugin.version}, namespace:{plugin.namespace}."
        raise Refused(why, Reason.SERIALIZATION)
    return creator


def capabilities_of(layer: LayerPlan, interface: PluginInterface, plugin: Any, gate: Gate) -> Capabilities:
    """Ask a plugin for the properties that an engine needs, or raise `Refused`."""
    found = interface.capabilities(gate, plugin, build=False)
    if found is None:
        why = f"{layer.name}: the plugin that the creator made lacks its CORE or RUNTIME capability"
        raise Refused(why, Reason.SERIALIZATION)
    return found
