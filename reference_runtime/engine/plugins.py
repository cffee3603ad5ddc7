"""The plugins of an engine: how each is made from what a plan holds, what it serializes again, and how it ends.

Theory. Each plugin is made by the creator that the registry has under its type (or name), version and namespace, and
belongs to the engine from then on. One of version 2 is deserialized, given its namespace, initialized, and in the end
terminated and destroyed. One of version 3 is created in the runtime phase from fields that are deep copies: what the
plugin of the build returned may be long gone. They are lent for that one call. It must offer its core and runtime
capabilities, needs no more preparation, and in the end is destroyed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.calling.trampolines import implicit_batch, v2, v3
from reference_runtime.calling.trampolines.of_version_2 import trampolines_of
from reference_runtime.interfaces import field_collections
from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick
from reference_runtime.interfaces.v2_ext import IPluginV2IOExt
from reference_runtime.plan import MAX_BLOB, PLUGIN_V3
from reference_runtime.registry.registry import find_creator
from reference_runtime.values.enums import QuickPluginCreationRequest, TensorRTPhase
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.trampolines.v3 import Capabilities
    from reference_runtime.interfaces.saved_fields import SavedField
    from reference_runtime.plan import LayerPlan, PluginPlan
    from reference_runtime.registry.registry import IPluginRegistry
    from reference_runtime.values.descriptions import Description

__all__ = ["capabilities_of", "end", "make", "needed_workspace", "saved_fields", "saved_payload", "start"]


def make(layer: LayerPlan, identity: PluginPlan, gate: Gate, registry: IPluginRegistry) -> Any:
    """Return the plugin of a layer, which belongs to TensorRT, or raise `Refused`."""
    if layer.kind == PLUGIN_V3:
        creator = _creator(registry, identity, IPluginCreatorV3One, IPluginCreatorV3Quick)
        plugin = _created(gate, creator, layer)
        made_by = "create_plugin"
    else:
        creator = _creator(registry, identity, IPluginCreator)
        plugin = v2.deserialize_plugin(gate, creator, layer.name, layer.payload)
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


def _created(gate: Gate, creator: object, layer: LayerPlan) -> Any:
    lent = field_collections.received([_field(saved) for saved in layer.fields])
    phase = TensorRTPhase.RUNTIME
    try:
        if isinstance(creator, IPluginCreatorV3Quick):
            request = QuickPluginCreationRequest.STRICT_JIT
            return v3.create_quick_plugin(gate, creator, lent, phase, request)
        return v3.create_plugin(gate, creator, layer.name, lent, phase)
    finally:
        lent.free()


def _field(saved: SavedField) -> field_collections.PluginField:
    """Return a field over new memory that holds what was saved."""
    field = field_collections.PluginField(saved.name, np.frombuffer(bytearray(saved.data), np.uint8), saved.type)
    field.size = saved.length
    return field


def capabilities_of(layer: LayerPlan, plugin: Any, gate: Gate) -> Capabilities:
    """Ask a plugin of version 3 for what an engine needs, or raise `Refused`."""
    found = v3.capabilities(gate, plugin, build=False)
    if found is None:
        why = f"{layer.name}: the plugin that the creator made lacks its CORE or RUNTIME capability"
        raise Refused(why, Reason.SERIALIZATION)
    return found


def start(layer: LayerPlan, identity: PluginPlan, plugin: Any, gate: Gate) -> None:
    """Initialize a plugin of version 2, or raise `Refused`; one for a type and a format alone is asked for them first.

    The documents have `IPluginV2.supports_format` called when an engine is deserialized, too.
    """
    v2.set_plugin_namespace(plugin, identity.namespace)
    if implicit_batch.is_theirs(plugin) and not _still_supported(layer, plugin, gate):
        raise Refused(f"{layer.name}: the plugin does not support the formats of the engine", Reason.SERIALIZATION)
    if trampolines_of(plugin).initialize(gate, plugin) != v2.SUCCESS:
        raise Refused(f"{layer.name}: the plugin could not be initialized", Reason.INTERNAL)


def _still_supported(layer: LayerPlan, plugin: Any, gate: Gate) -> bool:
    if not all(desc.dims for desc in layer.chosen):
        return False  # there is no batch
    if isinstance(plugin, IPluginV2IOExt):
        return True
    forms = dict.fromkeys((desc.type, desc.format) for desc in layer.chosen)
    return all(implicit_batch.supports_format(gate, plugin, *form) for form in forms)


def needed_workspace(layer: LayerPlan, plugin: Any, gate: Gate, greatest: Sequence[Description]) -> int:
    """Return the workspace that a plugin of an implicit-batch interface needs when its engine starts up."""
    count = len(layer.inputs)
    size: int = implicit_batch.get_workspace_size(gate, plugin, greatest[:count], greatest[count:])
    return size


def saved_payload(layer: str, plugin: Any, gate: Gate) -> bytes:
    """Return what a plugin of version 2 serializes, or raise `Refused`."""
    size = v2.get_serialization_size(gate, plugin)
    if size > MAX_BLOB:
        raise Refused(f"{layer}: the plugin announces {size} bytes of serialized data", Reason.SERIALIZATION)
    return v2.serialize(gate, plugin, size)


def saved_fields(layer: str, capabilities: Capabilities, gate: Gate) -> tuple[SavedField, ...]:
    """Return copies of the fields that a plugin of version 3 wants to be made from, or raise `Refused`."""
    found = v3.get_fields_to_serialize(gate, capabilities.runtime)
    if found is None:
        raise Refused(f"{layer}: the plugin's get_fields_to_serialize gave no fields", Reason.SERIALIZATION)
    for field in found:
        if field.type.name == _NO_MEMBER or len(field.data) > MAX_BLOB:
            why = f"the field {field.name!r} has type {int(field.type)} and {len(field.data)} bytes"
            raise Refused(f"{layer}: {why}, which cannot be serialized", Reason.SERIALIZATION)
    return found


_NO_MEMBER = "???"
"""What an enumeration calls a value that it does not have."""


def end(plugin: Any, gate: Gate, *, kind: str, initialized: bool) -> None:
    """Terminate what was initialized, and destroy it."""
    destroy: Callable[[Gate, object], None] = v2.destroy
    if kind == PLUGIN_V3:
        destroy = v3.destroy
    elif initialized:
        v2.terminate(gate, plugin)
    destroy(gate, plugin)
