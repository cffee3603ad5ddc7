"""Find the creator that a node for a plugin names, and let it make the plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reference_runtime.bound import bound_class
from reference_runtime.calling.adapters.creators import created
from reference_runtime.calling.lifecycle.table import V2, Call
from reference_runtime.calling.lifecycle.v3 import V3
from reference_runtime.calling.trampolines import v2, v3
from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick
from reference_runtime.interfaces.field_collections import received
from reference_runtime.onnx.importing.fields import UnsupportedAttribute, as_fields, attribute_data, text_of
from reference_runtime.onnx.importing.flattening import node_status
from reference_runtime.onnx.importing.status import ImportFailed
from reference_runtime.registry.registry import creator_named, find_creator
from reference_runtime.values.enums import DataType, ErrorCode, TensorRTPhase

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.onnx.importing.fields import FieldData
    from reference_runtime.onnx.importing.flattening import Step
    from reference_runtime.registry.registered_creators import Key
    from reference_runtime.registry.registry import IPluginRegistry
    from reference_runtime.values.enums import QuickPluginCreationRequest

NOT_FOUND: Final = 'creator && "Plugin not found, are the plugin name, version, and namespace correct?"'
_UNSUPPORTED_CREATOR: Final = "false && Unsupported plugin creator version"
_SHAPE_INPUTS: Final = "tensorrt_plugin_shape_input_indices"
_INTS: Final = 7
_CREATORS: Final = (IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick)
_OWN: Final = "addPluginWithCreator"


class PluginUse(NamedTuple):
    """A use of a plugin in a model: its creator, and the fields that the creator received."""

    creator: Any
    fields: tuple[FieldData, ...]
    unset: tuple[str, ...]
    """The fields that the creator advertises and that the node does not set."""


def key_of(node: Any) -> Key:
    """Return the name, version and namespace of the plugin that a node asks for."""
    attributes = _attributes(node)
    version = text_of(attributes, "plugin_version", "1")
    return str(node.op_type), version, text_of(attributes, "plugin_namespace", "")


def takes_the_place(registry: IPluginRegistry, node: Any, *, always: bool) -> bool:
    """Return whether a plugin replaces the operator of its name.

    The parser's flag requests it for all nodes (``always``). An attribute ``plugin_namespace`` requests it for a node,
    even with an empty value (observed on TensorRT-RTX 1.7.1). The creator must have the name, version and namespace of
    the node.
    """
    is_requested = always or "plugin_namespace" in _attributes(node)
    return is_requested and find_creator(registry, key_of(node)) is not None


def find(registry: IPluginRegistry, node: Any) -> Any:
    """Return the creator that a node names, or None.

    If there is none, a second search uses the node's domain as the namespace. A third search compares the namespace
    that a creator itself reports, even if it was registered in another. NVIDIA's parser does the same (observed on
    TensorRT-RTX 1.7.1). TensorRT 8.6 makes the first search only.
    """
    name, version, namespace = key_of(node)
    creator = find_creator(registry, (name, version, namespace))
    if creator is None and "INT64" in DataType.__members__:  # from TensorRT 10 on
        creator = find_creator(registry, (name, version, str(node.domain)))
        return creator or creator_named(registry, (name, version, namespace))
    return creator


def wants_aot(node: Any) -> bool | None:
    """Return whether a node requests a kernel compiled ahead of time; None if it does not say."""
    attribute = _attributes(node).get("aot")
    return None if attribute is None else bool(attribute.i)


def make(
    gate: Gate, step: Step, creator: Any, request: Callable[[], QuickPluginCreationRequest]
) -> tuple[Any, PluginUse]:
    """Return the plugin of a node, and its fields; raise `ImportFailed` if it cannot be made.

    ``request`` returns the request for an implementation of a decorated plugin.
    """
    owner = next((cls for cls in _CREATORS if isinstance(creator, cls)), None)
    if owner is None:
        why = f"Assertion failed: {_UNSUPPORTED_CREATOR}.: a {type(creator).__name__}"
        raise ImportFailed(node_status(step, ErrorCode.UNSUPPORTED_NODE, why, "importFallbackPluginImporter"))
    attributes = _attributes(step.node)
    advertised = [str(field.name) for field in bound_class.read(creator, owner, "field_names") or ()]
    try:
        data = attribute_data(attributes, advertised)
    except UnsupportedAttribute as error:
        raise ImportFailed(node_status(step, ErrorCode.UNSUPPORTED_NODE_ATTR, str(error), "loadFields")) from error
    plugin = _created(gate, step.name, creator, data, request)
    if plugin is None:
        why = "Assertion failed: plugin: Could not create the plugin."
        raise ImportFailed(node_status(step, ErrorCode.UNSUPPORTED_NODE, why, _OWN))
    unset = tuple(name for name in advertised if name not in attributes)
    return plugin, PluginUse(creator, tuple(data), unset)


def let_go(gate: Gate, creator: Any, plugin: Any) -> None:
    """Destroy the plugin that was made, because the network has its own copy; decorated plugins are not destroyed."""
    if isinstance(creator, IPluginCreatorV3Quick):
        return
    if isinstance(creator, IPluginCreator):
        gate.adopt(creator, plugin, Call.CREATE_PLUGIN, V2)
        v2.destroy(gate, plugin)
    else:
        gate.adopt(creator, plugin, Call.CREATE_PLUGIN, V3)
        v3.destroy(gate, plugin)


def shape_places(step: Step, creator: Any) -> frozenset[int]:
    """Return the numbers of a node's inputs that are shape inputs of its plugin; raise `ImportFailed` if invalid."""
    attribute = _attributes(step.node).get(_SHAPE_INPUTS)
    if attribute is None or isinstance(creator, IPluginCreator):
        return frozenset()
    if int(attribute.type) != _INTS:
        why = f"Shape input indices defined, but attribute {_SHAPE_INPUTS} has unsupported type. "
        raise ImportFailed(_unsupported(step, why + "Only AttributeProto::INTS is supported."))
    count = len(step.node.input)
    for index in attribute.ints:
        if not -count <= index < count:
            raise ImportFailed(_unsupported(step, f"Out-of-range shape input index: {index}"))
    return frozenset(int(index) % count for index in attribute.ints)


def _unsupported(step: Step, why: str) -> Any:
    return node_status(step, ErrorCode.UNSUPPORTED_NODE, f"Assertion failed: {why}", _OWN)


def _attributes(node: Any) -> dict[str, Any]:
    return {str(attribute.name): attribute for attribute in node.attribute}


def _created(
    gate: Gate, name: str, creator: Any, data: list[FieldData], request: Callable[[], QuickPluginCreationRequest]
) -> Any:
    requests = [request()] if isinstance(creator, IPluginCreatorV3Quick) else []
    lent = received(as_fields(data))
    try:
        return created(gate, creator, name, lent, TensorRTPhase.BUILD, *requests)
    finally:
        lent.free()
