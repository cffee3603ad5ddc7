"""The creators of plugins of versions 2 and 3, and of decorated plugins, and their base IPluginCreatorInterface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import is_initialised, state_of
from reference_runtime.bound.conversions import Mismatch, instance, is_really, optional
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, accessor, bound, constructor
from reference_runtime.bound.overrides import Virtual, owned, owned_text, text, text_or_crash, write_unset
from reference_runtime.interfaces.field_collections import PluginFieldCollection, PluginFieldCollection_, to_records
from reference_runtime.interfaces.v2 import IPluginV2
from reference_runtime.interfaces.v3 import IPluginV3
from reference_runtime.values.enums import QuickPluginCreationRequest, TensorRTPhase
from reference_runtime.values.versioned_interface import IVersionedInterface

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.bound.bound_class import attribute


class IPluginCreatorInterface(IVersionedInterface, bound=True):
    """The root of all creators."""


def _never(value: Any) -> Any:
    """Refuse every value."""
    raise Mismatch(value)


def _plugin(cls: type) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if value is None:
            return None
        if not is_really(value, cls):
            raise Mismatch
        if not is_initialised(value, cls):
            raise NativeCrash(
                f"A {type(value).__name__} whose {cls.__name__}.__init__ did not run was handed to TensorRT: the "
                "genuine bindings crash here."
            )
        return value

    return convert


_CREATE = Virtual("create_plugin", convert=_plugin(IPluginV2), type_name="IPluginV2*")
_DESERIALIZE = Virtual("deserialize_plugin", convert=_plugin(IPluginV2), type_name="IPluginV2*")
_CREATE_V3 = Virtual("create_plugin", convert=_plugin(IPluginV3), type_name="IPluginV3*")


def _bytes(value: Any) -> bytes:
    try:
        return memoryview(value).tobytes()
    except TypeError as error:
        raise Mismatch from error


def _field_names(owner: str, key: str) -> attribute:
    def get(creator: Any) -> PluginFieldCollection_:
        held: PluginFieldCollection_ | None = state_of(creator, made.owner).get(key)
        if held is None:
            write_unset("field_names")
            return PluginFieldCollection_(PluginFieldCollection())
        return held

    def put(creator: Any, value: PluginFieldCollection_) -> None:
        state_of(creator, made.owner)[key] = value

    made = accessor(f"(arg0: {owner}, arg1: PluginFieldCollection_) -> None", get, put, to_records)
    made.key = key
    return made


class IPluginCreator(IPluginCreatorInterface, bound=True):
    """The base class of a user's creator of plugins of version 2."""

    @constructor(Overload("(self: IPluginCreator) -> None"))
    def __init__(self) -> None:
        """Construct the base class."""

    name = owned("IPluginCreator", "name", owned_text)
    plugin_version = owned("IPluginCreator", "plugin_version", owned_text)
    plugin_namespace = owned("IPluginCreator", "plugin_namespace", text_or_crash("IPluginCreator", "plugin_namespace"))
    field_names = _field_names("IPluginCreator", "field_names")

    @bound(
        Overload(
            "(self: IPluginCreator, name: str, field_collection: PluginFieldCollection_) -> IPluginV2",
            text,
            optional(to_records),
        )
    )
    def create_plugin(self, name: str, field_collection: PluginFieldCollection_ | None) -> Any:
        """Call the override as C++ does; ``None`` if it returns no plugin."""
        return _CREATE.call(self, name, field_collection)

    @bound(
        Overload(
            "(self: IPluginCreator, name: str, serialized_plugin: typing_extensions.Buffer) -> IPluginV2",
            text,
            _bytes,
        ),
        Overload(  # for objects of another class: the bindings only list it in error messages
            "(self: IPluginV2DynamicExt, name: str, serialized_plugin: bytes) -> IPluginV2DynamicExt", _never, _never
        ),
    )
    def deserialize_plugin(self, name: str, serialized_plugin: bytes) -> Any:
        """Call the override as C++ does; ``None`` if it returns no plugin."""
        return _DESERIALIZE.call(self, name, serialized_plugin)


class IPluginCreatorV3One(IPluginCreatorInterface, bound=True):
    """The base class of a user's creator of plugins of version 3."""

    @constructor(Overload("(self: IPluginCreatorV3One) -> None"))
    def __init__(self) -> None:
        """Construct the base class."""

    name = owned("IPluginCreatorV3One", "name", owned_text)
    plugin_version = owned("IPluginCreatorV3One", "plugin_version", owned_text)
    plugin_namespace = owned("IPluginCreatorV3One", "plugin_namespace", owned_text)
    field_names = _field_names("IPluginCreatorV3One", "IPluginCreatorV3One.field_names")

    @bound(
        Overload(
            "(self: IPluginCreatorV3One, name: str, field_collection: PluginFieldCollection_,"
            " phase: nvinfer1::TensorRTPhase) -> IPluginV3",
            text,
            optional(to_records),
            instance(TensorRTPhase),
        )
    )
    def create_plugin(self, name: str, fields: PluginFieldCollection_ | None, phase: TensorRTPhase) -> Any:
        """Call the override as C++ does; ``None`` if it returns no plugin."""
        return _CREATE_V3.call(self, name, fields, phase)


class IPluginCreatorV3Quick(IPluginCreatorInterface, bound=True):
    """The creator of decorated plugins; TensorRT's own package derives from it."""

    @constructor(Overload("(self: IPluginCreatorV3Quick) -> None"))
    def __init__(self) -> None:
        """Construct the base class."""

    name = owned("IPluginCreatorV3Quick", "name", owned_text)
    plugin_version = owned("IPluginCreatorV3Quick", "plugin_version", owned_text)
    plugin_namespace = owned("IPluginCreatorV3Quick", "plugin_namespace", owned_text)
    field_names = _field_names("IPluginCreatorV3Quick", "IPluginCreatorV3Quick.field_names")

    @bound(
        Overload(
            "(self: IPluginCreatorV3Quick, name: str, namespace: str, field_collection: PluginFieldCollection_,"
            " phase: nvinfer1::TensorRTPhase, quickPluginType: nvinfer1::QuickPluginCreationRequest) -> IPluginV3",
            text,
            text,
            optional(to_records),
            instance(TensorRTPhase),
            instance(QuickPluginCreationRequest),
        )
    )
    def create_plugin(self, *arguments: Any) -> Any:
        """Call the override as C++ does; ``None`` if it returns no plugin."""
        return _CREATE_V3.call(self, *arguments)
