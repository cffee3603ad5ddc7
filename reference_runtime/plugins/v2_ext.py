"""IPluginV2Ext: the interface of C++ plugins between IPluginV2 and IPluginV2DynamicExt.

Python can neither make one nor derive from it, and an IPluginV2DynamicExt is none, as measured: what is bound here can
be called on plugins only that come from a library of C++ plugins. `empty` makes one as C++ would hand it out, without
any behaviour of its own.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.capsules import pointer
from reference_runtime.conversions import boolean, instance, int32, sequence
from reference_runtime.dims import to_dims
from reference_runtime.enums import DataType, TensorFormat
from reference_runtime.native import made
from reference_runtime.plugins.v2 import IPluginV2
from reference_runtime.signatures import Overload, bound

__all__ = ["IPluginV2Ext", "empty"]

_SELF = "self: IPluginV2Ext"
_CAPSULE = "typing_extensions.CapsuleType"


def _listed(kind: str) -> str:
    return f"collections.abc.Sequence[{kind}]"


def _is_one(value: object) -> bool:
    return isinstance(value, IPluginV2Ext)


class IPluginV2Ext(IPluginV2, bound=True):
    """A C++ plugin that knows its output types; deprecated in favour of IPluginV2DynamicExt."""

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
        """Take note of the shapes, types, broadcasts and the format."""

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
        """Take note of an execution context's libraries and allocator."""

    @bound(Overload(f"({_SELF}) -> None"), on=_is_one)
    def detach_from_context(self) -> None:
        """Let go of them."""


def empty() -> IPluginV2Ext:
    """Make one as C++ would hand it out."""
    return made(IPluginV2Ext)
