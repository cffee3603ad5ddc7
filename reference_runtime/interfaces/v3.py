"""IPluginV3 and its capabilities: the base classes of a Python plugin of version 3.

Theory. All methods except ``get_capability_interface`` are bound for documentation only. A call on the base class
(``IPluginV3.clone(plugin)``) returns a fixed value, even if the user's class overrides the method. Also the methods of
capabilities require an IPluginV3 for ``self`` (but ``get_aliased_input`` requires a number). `trampolines.v3` defines
TensorRT's calls, and its reaction to a missing override.
"""

from __future__ import annotations

from typing import Any, Final

from reference_runtime.bound.bound_class import is_initialised, static_property
from reference_runtime.bound.conversions import Mismatch, instance, int32, int64, is_really, sequence
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.bound.overrides import Virtual, owned, owned_text
from reference_runtime.interfaces.capability import IPluginCapability
from reference_runtime.interfaces.quick import IPluginV3QuickBuild, IPluginV3QuickCore, IPluginV3QuickRuntime
from reference_runtime.interfaces.resources import IPluginResourceContext
from reference_runtime.shapes.expressions import DimsExprs, IExprBuilder
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.values.enums import DataType, PluginCapabilityType
from reference_runtime.values.versioned_interface import IVersionedInterface

__all__ = [
    "CAPABILITIES",
    "IPluginCapability",
    "IPluginV3",
    "IPluginV3OneBuild",
    "IPluginV3OneBuildV2",
    "IPluginV3OneCore",
    "IPluginV3OneRuntime",
    "as_capability",
    "is_quick",
]

_LIMIT: Final = 100
_SELF = "self: IPluginV3"
_INTEGER = "typing.SupportsInt"
_DESCS = sequence(instance(PluginTensorDesc))
_DYNAMIC_DESCS = sequence(instance(DynamicPluginTensorDesc))


def _listed(kind: str) -> str:
    return f"collections.abc.Sequence[{kind}]"


def _constructors(name: str) -> tuple[Overload, Overload]:
    def same(value: Any) -> Any:
        return instance(globals()[name])(value)

    return Overload(f"(self: {name}) -> None"), Overload(f"(self: {name}, arg0: {name}) -> None", same)


def _is_plugin(value: object) -> bool:
    return isinstance(value, IPluginV3)


def _is_int32(value: object) -> bool:
    try:
        int32(value)
    except Mismatch:
        return False
    return True


class IPluginV3(IVersionedInterface, bound=True):
    """A plugin of version 3: it returns its capabilities, and may be a capability itself."""

    @constructor(*_constructors("IPluginV3"))
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""

    @bound(
        Overload(f"({_SELF}, type: nvinfer1::PluginCapabilityType) -> object", instance(PluginCapabilityType)),
    )
    def get_capability_interface(self, kind: PluginCapabilityType) -> Any:
        """Call the override as C++ does; ``None`` if it returns no capability of that kind."""
        return _CAPABILITY.get(kind, _NO_CAPABILITY).call(self, kind)

    @bound(Overload(f"({_SELF}) -> IPluginV3"))
    def clone(self) -> Any:
        """Return a copy that can take this object's place; an override is required."""
        return None

    @bound(Overload(f"({_SELF}) -> None"))
    def destroy(self) -> None:
        """Release everything; overriding it is optional."""


class IPluginV3OneCore(IPluginCapability, bound=True):
    """The name of a plugin."""

    @constructor(*_constructors("IPluginV3OneCore"))
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""

    plugin_name = owned("IPluginV3OneCore", "plugin_name", owned_text)
    plugin_version = owned("IPluginV3OneCore", "plugin_version", owned_text)
    plugin_namespace = owned("IPluginV3OneCore", "plugin_namespace", owned_text)


class IPluginV3OneBuild(IPluginCapability, bound=True):
    """The queries of a plugin while an engine is built."""

    DEFAULT_FORMAT_COMBINATION_LIMIT = static_property(lambda _cls: _LIMIT)

    @constructor(*_constructors("IPluginV3OneBuild"))
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""

    num_outputs = owned("IPluginV3OneBuild", "num_outputs", int32, shown=_INTEGER, unset=-1)
    format_combination_limit = owned(
        "IPluginV3OneBuild",
        "format_combination_limit",
        int32,
        shown=_INTEGER,
        unset=_LIMIT,
        required=False,
    )
    metadata_string = owned("IPluginV3OneBuild", "metadata_string", owned_text, required=False)
    timing_cache_id = owned("IPluginV3OneBuild", "timing_cache_id", owned_text, required=False)

    @bound(
        Overload(f"({_SELF}, input_types: {_listed('DataType')}) -> list[DataType]", sequence(instance(DataType))),
        on=_is_plugin,
    )
    def get_output_data_types(self, _input_types: list[DataType]) -> list[DataType]:
        """Return the types of all outputs; an override is required."""
        return []

    @bound(
        Overload(
            f"({_SELF}, inputs: {_listed('DimsExprs')}, shape_inputs: {_listed('DimsExprs')},"
            " expr_builder: IExprBuilder) -> list[DimsExprs]",
            sequence(instance(DimsExprs)),
            sequence(instance(DimsExprs)),
            instance(IExprBuilder),
        ),
        on=_is_plugin,
    )
    def get_output_shapes(self, *_ignored: Any) -> list[DimsExprs]:
        """Return the shapes of all outputs; an override is required."""
        return []

    @bound(
        Overload(
            f"({_SELF}, in: {_listed('DynamicPluginTensorDesc')}, out: {_listed('DynamicPluginTensorDesc')}) -> None",
            _DYNAMIC_DESCS,
            _DYNAMIC_DESCS,
        ),
        on=_is_plugin,
    )
    def configure_plugin(self, *_ignored: Any) -> None:
        """Receive the shapes, types and formats; an override is required."""

    @bound(
        Overload(
            f"({_SELF}, pos: {_INTEGER}, in_out: {_listed('DynamicPluginTensorDesc')}, num_inputs: {_INTEGER}) -> bool",
            int32,
            _DYNAMIC_DESCS,
            int32,
        ),
        on=_is_plugin,
    )
    def supports_format_combination(self, *_ignored: Any) -> bool:
        """Return whether the plugin accepts the type and format at ``pos``; an override is required."""
        return False

    @bound(
        Overload(
            f"({_SELF}, in: {_listed('DynamicPluginTensorDesc')}, out: {_listed('DynamicPluginTensorDesc')}) -> int",
            _DYNAMIC_DESCS,
            _DYNAMIC_DESCS,
        ),
        on=_is_plugin,
    )
    def get_workspace_size(self, *_ignored: Any) -> int:
        """Return the bytes of scratch memory that ``enqueue`` needs; overriding it is optional."""
        return 0

    @bound(Overload(f"({_SELF}) -> list[int]"), on=_is_plugin)
    def get_valid_tactics(self) -> list[int]:
        """Return the tactics to choose from, each greater than 0; overriding it is optional."""
        return []


class IPluginV3OneBuildV2(IPluginV3OneBuild, bound=True):
    """The queries of a build for a plugin whose outputs may share the memory of inputs."""

    @constructor(*_constructors("IPluginV3OneBuildV2"))
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""

    @bound(Overload(f"(self: {_INTEGER}) -> int"), on=_is_int32)
    def get_aliased_input(self) -> int:
        """Return the input whose memory an output shares, or -1; overriding it is optional."""
        return -1


class IPluginV3OneRuntime(IPluginCapability, bound=True):
    """The execution of a plugin in an engine."""

    @constructor(*_constructors("IPluginV3OneRuntime"))
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""

    @bound(
        Overload(
            f"({_SELF}, in: {_listed('PluginTensorDesc')}, out: {_listed('PluginTensorDesc')}) -> None",
            _DESCS,
            _DESCS,
        ),
        on=_is_plugin,
    )
    def on_shape_change(self, *_ignored: Any) -> None:
        """Receive the shapes of the next executions; an override is required."""

    @bound(Overload(f"({_SELF}, tactic: {_INTEGER}) -> None", int32), on=_is_plugin)
    def set_tactic(self, _tactic: int) -> None:
        """Receive the tactic for the next executions; an override is required."""

    @bound(
        Overload(
            f"({_SELF}, input_desc: {_listed('PluginTensorDesc')}, output_desc: {_listed('PluginTensorDesc')},"
            f" inputs: {_listed(_INTEGER)}, outputs: {_listed(_INTEGER)}, workspace: {_INTEGER}, stream: {_INTEGER})"
            " -> None",
            _DESCS,
            _DESCS,
            sequence(int64),
            sequence(int64),
            int64,
            int64,
        ),
        on=_is_plugin,
    )
    def enqueue(self, *_ignored: Any) -> None:
        """Run the plugin; an override is required."""

    @bound(
        Overload(
            f"({_SELF}, resource_context: nvinfer1::IPluginResourceContext) -> IPluginV3",
            instance(IPluginResourceContext),
        ),
        on=_is_plugin,
    )
    def attach_to_context(self, _resource_context: IPluginResourceContext) -> Any:
        """Return a copy of the whole plugin for an execution context; an override is required."""
        return None

    @bound(Overload(f"({_SELF}) -> PluginFieldCollection_"), on=_is_plugin)
    def get_fields_to_serialize(self) -> Any:
        """Return the fields from which the creator can recreate the plugin; an override is required."""
        return None


CAPABILITIES: Final[dict[PluginCapabilityType, tuple[type, ...]]] = {
    PluginCapabilityType.CORE: (IPluginV3OneCore, IPluginV3QuickCore),
    PluginCapabilityType.BUILD: (IPluginV3OneBuild, IPluginV3QuickBuild),
    PluginCapabilityType.RUNTIME: (IPluginV3OneRuntime, IPluginV3QuickRuntime),
}
"""The classes of each kind of capability."""


_ONE: Final = (IPluginV3OneCore, IPluginV3OneBuild, IPluginV3OneRuntime)
_QUICK: Final = (IPluginV3QuickCore, IPluginV3QuickBuild, IPluginV3QuickRuntime)


def is_quick(part: object) -> bool:
    """Return whether C++ treats a plugin or capability as a decorated plugin's; False for an object of both kinds."""
    return is_really(part, _QUICK) and not is_really(part, _ONE)


def as_capability(kind: PluginCapabilityType, value: Any) -> Any:
    """Return C++'s capability for the result of an override; ``None`` becomes a null pointer."""
    if value is None:
        return None
    base = next((cls for cls in CAPABILITIES[kind] if is_really(value, cls)), None)
    if base is None:
        raise Mismatch
    if not is_initialised(value, base):
        raise NativeCrash(
            f"A {type(value).__name__} whose {base.__name__}.__init__ did not run was handed to TensorRT: the genuine "
            "bindings crash here. Call it in the plugin's __init__."
        )
    return value


def _of_kind(kind: PluginCapabilityType) -> Virtual:
    # The bindings' words have two spaces here.
    return Virtual(
        "get_capability_interface",
        convert=lambda value: as_capability(kind, value),
        type_name=f" a valid {kind.name.lower()} capability interface",
    )


_CAPABILITY: Final = {kind: _of_kind(kind) for kind in CAPABILITIES}
_NO_CAPABILITY: Final = Virtual("get_capability_interface", convert=lambda _: None)
