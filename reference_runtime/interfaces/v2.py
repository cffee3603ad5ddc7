"""IPluginV2: the root of the version 2 interfaces, whose methods call a Python plugin's overrides as C++ does."""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.bound_class import attribute, initialise, is_bound, pybind11_object, spelling, state
from reference_runtime.bound.conversions import Mismatch, instance, int32, int64, is_really, nothing, sequence, size_t
from reference_runtime.bound.level_constants import version_facts
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.bound.overrides import Virtual, owned, owned_text, text_or_crash
from reference_runtime.values.dims import Dims, to_dims
from reference_runtime.values.enums import DataType, TensorFormat

_WRITTEN_IN_PYTHON = 0x40
_SHAPES = "collections.abc.Sequence[Dims]"
_CAPSULES = "collections.abc.Sequence[typing_extensions.CapsuleType]"


def to_payload(value: Any) -> bytes:
    """Convert what ``serialize`` returned: bytes, or text as UTF-8."""
    try:
        if is_really(value, str):
            return str.encode(value)
    except UnicodeError as error:
        raise Mismatch from error
    if is_really(value, (bytes, bytearray)):
        return memoryview(value).tobytes()
    raise Mismatch


def _clone(value: Any) -> Any:
    if value is None or is_really(value, IPluginV2):
        return value
    raise Mismatch


_INITIALIZE = Virtual("initialize", missing=0, failed=-1, convert=lambda _: 0, required=False, thrown=True)
_TERMINATE = Virtual("terminate", convert=lambda _: None, required=False)
_DESTROY = Virtual("destroy", convert=lambda _: None, required=False)
_CLONE = Virtual("clone", convert=_clone, type_name="nvinfer1::IPluginV2DynamicExt")
_SIZE = Virtual("get_serialization_size", failed=0, convert=size_t, type_name="size_t", required=False)
_SERIALIZE = Virtual("serialize", missing=b"", failed=b"", convert=to_payload, type_name="std::string")
_MEASURE = Virtual(
    "serialize", missing=b"", failed=b"", convert=to_payload, type_name="std::string", called="get_serialization_size"
)


def begin(plugin: object, owner: type, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Initialize a plugin of a class written in Python; TensorRT's own classes have no constructor (measured).

    Deriving from the implicit-batch interfaces is an extension of this runtime. The genuine bindings only wrap plugins
    that are written in C++.
    """
    if is_bound(type(plugin)) or isinstance(plugin, IPluginV2DynamicExtBase):
        raise TypeError(f"{spelling(type(plugin))}: No constructor defined!")
    if arguments or named:
        raise TypeError(f"__init__(): {spelling(owner)} takes no arguments")
    initialise(plugin, owner)


def serialization_size(plugin: object) -> int:
    """Return the size that C++ gets: the override's result, or the length of the result of ``serialize``."""
    size = _SIZE.call(plugin)
    return len(_MEASURE.call(plugin)) if size is None else int(size)


class IPluginV2(pybind11_object, bound=True):
    """The base of all plugins of version 2; a plugin that derives directly from it needs an implicit batch."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        begin(self, IPluginV2, arguments, named)

    num_outputs = owned("IPluginV2", "num_outputs", int32, shown="typing.SupportsInt", unset=-1, key="num_outputs")
    plugin_type = owned("IPluginV2", "plugin_type", owned_text, key="plugin_type")
    plugin_version = owned("IPluginV2", "plugin_version", owned_text, key="plugin_version")
    plugin_namespace = owned(
        "IPluginV2", "plugin_namespace", text_or_crash("IPluginV2", "plugin_namespace"), key="plugin_namespace"
    )
    serialization_size = attribute(serialization_size)
    tensorrt_version = attribute(lambda self: state(self) and (_kind_of(self) << 24 | version_facts().number))

    @bound(Overload("(self: IPluginV2) -> int"))
    def initialize(self) -> int:
        """Call the override as C++ does and ignore its result; return 0, or -1 if it raises."""
        return int(_INITIALIZE.call(self))

    @bound(Overload("(self: IPluginV2) -> None"))
    def terminate(self) -> None:
        """Call the override as C++ does."""
        _TERMINATE.call(self)

    @bound(Overload("(self: IPluginV2) -> None"))
    def destroy(self) -> None:
        """Call the override as C++ does."""
        _DESTROY.call(self)

    @bound(Overload("(self: IPluginV2) -> IPluginV2"))
    def clone(self) -> Any:
        """Call the override as C++ does; ``None`` if it returns no plugin."""
        return _CLONE.call(self)

    @bound(Overload("(self: IPluginV2) -> memoryview"))
    def serialize(self) -> Any:
        """Return the bytes that C++ writes: the result of ``serialize``, cut or padded to the announced size."""
        size = serialization_size(self)
        payload = _SERIALIZE.call(self)
        return memoryview(payload[:size].ljust(size, b"\0"))

    @bound(Overload("(self: IPluginV2, max_batch_size: typing.SupportsInt) -> int", int32))
    def get_workspace_size(self, _max_batch_size: int) -> int:
        """Return 0: an IPluginV2DynamicExt answers through another method."""
        return 0

    @bound(
        Overload(
            "(self: IPluginV2, dtype: DataType, format: nvinfer1::TensorFormat) -> bool",
            instance(DataType),
            instance(TensorFormat),
        )
    )
    def supports_format(self, _dtype: DataType, _format: TensorFormat) -> bool:
        """Return False: an IPluginV2DynamicExt answers through another method."""
        return False

    @bound(
        Overload(
            f"(self: IPluginV2, index: typing.SupportsInt, input_shapes: {_SHAPES}) -> Dims",
            int32,
            sequence(to_dims),
        )
    )
    def get_output_shape(self, _index: int, _input_shapes: list[Dims]) -> Dims:
        """Return a shape of -1 dimensions: an IPluginV2DynamicExt answers through another method."""
        shape = Dims()
        state(shape)["length"] = -1
        return shape

    @bound(
        Overload(
            f"(self: IPluginV2, input_shapes: {_SHAPES}, output_shapes: {_SHAPES}, dtype: DataType,"
            " format: nvinfer1::TensorFormat, max_batch_size: typing.SupportsInt) -> None",
            sequence(to_dims),
            sequence(to_dims),
            instance(DataType),
            instance(TensorFormat),
            int32,
        )
    )
    def configure_with_format(self, *_ignored: Any) -> None:
        """Do nothing: an IPluginV2DynamicExt is configured through another method."""

    @bound(
        Overload(
            f"(self: IPluginV2, batch_size: typing.SupportsInt, inputs: {_CAPSULES}, outputs: {_CAPSULES},"
            " workspace: typing_extensions.CapsuleType, stream_handle: typing.SupportsInt) -> int",
            int32,
            sequence(nothing),
            sequence(nothing),
            nothing,
            int64,
        )
    )
    def execute_async(self, *_ignored: Any) -> int:
        """Return 1, a failure: an IPluginV2DynamicExt is executed through another method."""
        return 1


class IPluginV2DynamicExtBase(IPluginV2, bound=True):
    """The C++ interface that IPluginV2DynamicExt implements."""


#: The kinds of plugins of version 2, as ``tensorrt_version`` numbers them in its highest byte.
KINDS: dict[type, int] = {IPluginV2: 0, IPluginV2DynamicExtBase: 3}


def _kind_of(plugin: object) -> int:
    return _WRITTEN_IN_PYTHON | next(KINDS[base] for base in type(plugin).__mro__ if base in KINDS)
