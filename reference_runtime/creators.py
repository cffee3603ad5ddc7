"""What makes plugins: IPluginCreatorInterface and IPluginCreator."""

from __future__ import annotations

from typing import Any

from reference_runtime.conversions import Mismatch, optional
from reference_runtime.fields import PluginFieldCollection, PluginFieldCollection_, to_records
from reference_runtime.native import state
from reference_runtime.overrides import Virtual, complain_unset, owned, owned_text, text, text_or_crash
from reference_runtime.plugins.v2 import IPluginV2
from reference_runtime.signatures import Overload, accessor, bound, constructor
from reference_runtime.versioned import IVersionedInterface, describe_python_interface


class IPluginCreatorInterface(IVersionedInterface, bound=True):
    """The root of all creators."""


def _plugin(value: Any) -> Any:
    if value is None or isinstance(value, IPluginV2):
        return value
    raise Mismatch


_CREATE = Virtual("create_plugin", convert=_plugin, wanted="IPluginV2*")
_DESERIALIZE = Virtual("deserialize_plugin", convert=_plugin, wanted="IPluginV2*")


def _bytes(value: Any) -> bytes:
    try:
        return memoryview(value).tobytes()
    except TypeError as error:
        raise Mismatch from error


def _field_names(creator: Any) -> PluginFieldCollection_:
    held: PluginFieldCollection_ | None = state(creator).get("field_names")
    if held is None:
        complain_unset("field_names")
        return PluginFieldCollection_(PluginFieldCollection())
    return held


class IPluginCreator(IPluginCreatorInterface, bound=True):
    """The creator of plugins of version 2: what a user's creator derives from."""

    @constructor(Overload("(self: IPluginCreator) -> None"))
    def __init__(self) -> None:
        describe_python_interface(self, "PLUGIN CREATOR_V1", 1, 0)

    name = owned("IPluginCreator", "name", owned_text)
    plugin_version = owned("IPluginCreator", "plugin_version", owned_text)
    plugin_namespace = owned("IPluginCreator", "plugin_namespace", text_or_crash("IPluginCreator", "plugin_namespace"))
    field_names = accessor(
        "(self: IPluginCreator, arg0: PluginFieldCollection_) -> None",
        _field_names,
        lambda self, value: state(self).update(field_names=value),
        to_records,
    )

    @bound(
        Overload(
            "(self: IPluginCreator, name: str, field_collection: PluginFieldCollection_) -> IPluginV2",
            text,
            optional(to_records),
        )
    )
    def create_plugin(self, name: str, field_collection: PluginFieldCollection_ | None) -> Any:
        """Call the override as C++ does; ``None`` when it gives no plugin."""
        return _CREATE.call(self, name, field_collection)

    @bound(
        Overload(
            "(self: IPluginCreator, name: str, serialized_plugin: typing_extensions.Buffer) -> IPluginV2",
            text,
            _bytes,
        )
    )
    def deserialize_plugin(self, name: str, serialized_plugin: bytes) -> Any:
        """Call the override as C++ does; ``None`` when it gives no plugin."""
        return _DESERIALIZE.call(self, name, serialized_plugin)
