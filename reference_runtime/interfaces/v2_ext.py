"""IPluginV2Ext, and IPluginV2IOExt: plugins for networks with an implicit batch that know the types of their outputs.

The genuine bindings only wrap plugins that are written in C++. Python cannot construct IPluginV2Ext, and an
IPluginV2DynamicExt does not derive from it (measured). As an extension, a Python class can derive from both classes in
this runtime. The name IPluginV2IOExt is an extension, too: ``dir(tensorrt)`` does not list it.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.capsules import pointer
from reference_runtime.bound.conversions import boolean, instance, int32, sequence
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.interfaces.v2 import KINDS, IPluginV2, begin
from reference_runtime.values.descriptors import PluginTensorDesc
from reference_runtime.values.dims import to_dims
from reference_runtime.values.enums import DataType, TensorFormat

_SELF = "self: IPluginV2Ext"
_CAPSULE = "typing_extensions.CapsuleType"


def _listed(kind: str) -> str:
    return f"collections.abc.Sequence[{kind}]"


_DESCS = sequence(instance(PluginTensorDesc))


def _is_one(value: object) -> bool:
    return isinstance(value, IPluginV2Ext)


class IPluginV2Ext(IPluginV2, bound=True):
    """A plugin that knows its output types, and broadcasts across the batch; deprecated."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        begin(self, IPluginV2Ext, arguments, named)

    @bound(
        Overload(
            f"({_SELF}, index: typing.SupportsInt, input_types: {_listed('DataType')}) -> DataType",
            int32,
            sequence(instance(DataType)),
        ),
        on=_is_one,
    )
    def get_output_data_type(self, _index: int, _input_types: list[DataType]) -> DataType:
        """Return the type of an output."""
        return DataType(0)

    @bound(
        Overload(
            f"({_SELF}, input_shapes: {_listed('Dims')}, output_shapes: {_listed('Dims')},"
            f" input_types: {_listed('DataType')}, output_types: {_listed('DataType')},"
            f" input_is_broadcasted: {_listed('bool')}, output_is_broacasted: {_listed('bool')},"
            " format: nvinfer1::TensorFormat, max_batch_size: typing.SupportsInt) -> None",
            sequence(to_dims),
            sequence(to_dims),
            sequence(instance(DataType)),
            sequence(instance(DataType)),
            sequence(boolean),
            sequence(boolean),
            instance(TensorFormat),
            int32,
        ),
        on=_is_one,
    )
    def configure_plugin(self, *_ignored: Any) -> None:
        """Receive the shapes, types, broadcasts and the format."""

    @bound(Overload(f"({_SELF}) -> IPluginV2Ext"), on=_is_one)
    def clone(self) -> Any:
        """Return a copy that can take this object's place."""
        return None

    @bound(
        Overload(
            f"({_SELF}, cudnn: {_CAPSULE}, cublas: {_CAPSULE}, allocator: {_CAPSULE}) -> None",
            pointer,
            pointer,
            pointer,
        ),
        on=_is_one,
    )
    def attach_to_context(self, *_ignored: Any) -> None:
        """Receive an execution context's libraries and allocator."""

    @bound(Overload(f"({_SELF}) -> None"), on=_is_one)
    def detach_from_context(self) -> None:
        """Release the libraries and the allocator."""


class IPluginV2IOExt(IPluginV2Ext, bound=True):
    """A plugin whose inputs and outputs have different types and formats; deprecated."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        begin(self, IPluginV2IOExt, arguments, named)

    @bound(
        Overload(
            f"(self: IPluginV2IOExt, in: {_listed('PluginTensorDesc')}, out: {_listed('PluginTensorDesc')}) -> None",
            _DESCS,
            _DESCS,
        )
    )
    def configure_plugin(self, *_ignored: Any) -> None:
        """Receive the shapes of one item, the types, formats and scales."""

    @bound(
        Overload(
            f"(self: IPluginV2IOExt, pos: typing.SupportsInt, in_out: {_listed('PluginTensorDesc')},"
            " num_inputs: typing.SupportsInt) -> bool",
            int32,
            _DESCS,
            int32,
        )
    )
    def supports_format_combination(self, *_ignored: Any) -> bool:
        """Return whether the plugin accepts the type and format of the tensor at ``pos``."""
        return False


KINDS.update({IPluginV2Ext: 1, IPluginV2IOExt: 2})
