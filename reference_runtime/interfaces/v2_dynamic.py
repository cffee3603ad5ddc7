"""IPluginV2DynamicExt: the base class of a Python plugin of version 2.

Its methods exist for documentation and to be overridden. Called from Python without an override, each returns the same
fixed value as in the genuine bindings. `trampolines.v2` defines TensorRT's reaction to a missing override.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.bound_class import static_property
from reference_runtime.bound.conversions import Mismatch, instance, int32, int64, is_really, sequence
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.interfaces.v2 import IPluginV2DynamicExtBase
from reference_runtime.shapes.expressions import DimsExprs, IExprBuilder
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.values.enums import DataType

_SELF = "self: IPluginV2DynamicExt"
_INTEGER = "typing.SupportsInt"
_DESCS = sequence(instance(PluginTensorDesc))
_DYNAMIC_DESCS = sequence(instance(DynamicPluginTensorDesc))


def _listed(kind: str) -> str:
    return f"collections.abc.Sequence[{kind}]"


def _another(value: Any) -> Any:
    if is_really(value, IPluginV2DynamicExt):
        return value
    raise Mismatch


class IPluginV2DynamicExt(IPluginV2DynamicExtBase, bound=True):
    """A plugin whose output shapes are expressions of its input shapes."""

    FORMAT_COMBINATION_LIMIT = static_property(lambda _cls: 100)

    @constructor(
        Overload(f"({_SELF}) -> None"),
        Overload(f"({_SELF}, arg0: IPluginV2DynamicExt) -> None", _another),
    )
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""

    @bound(Overload(f"({_SELF}) -> int"))
    def initialize(self) -> int:
        """Prepare to run; overriding it is optional."""
        return -1

    @bound(Overload(f"({_SELF}) -> None"))
    def terminate(self) -> None:
        """Release what ``initialize`` acquired; overriding it is optional."""

    @bound(Overload(f"({_SELF}) -> bytes"))
    def serialize(self) -> bytes:
        """Return the bytes from which the creator can recreate the plugin."""
        return b""

    @bound(Overload(f"({_SELF}) -> int"))
    def get_serialization_size(self) -> int:
        """Return the number of bytes that ``serialize`` returns; overriding it is optional."""
        return 0

    @bound(
        Overload(
            f"({_SELF}, index: {_INTEGER}, input_types: {_listed('DataType')}) -> DataType",
            int32,
            sequence(instance(DataType)),
        )
    )
    def get_output_datatype(self, _index: int, _input_types: list[DataType]) -> DataType:
        """Return the type of an output."""
        return DataType(0)

    @bound(Overload(f"({_SELF}) -> None"))
    def destroy(self) -> None:
        """Release everything; overriding it is optional."""

    @bound(
        Overload(
            f"({_SELF}, output_index: {_INTEGER}, inputs: {_listed('DimsExprs')}, expr_builder: IExprBuilder)"
            " -> DimsExprs",
            int32,
            sequence(instance(DimsExprs)),
            instance(IExprBuilder),
        )
    )
    def get_output_dimensions(self, _index: int, _inputs: list[DimsExprs], _expr_builder: IExprBuilder) -> DimsExprs:
        """Return the shape of an output."""
        return DimsExprs()

    @bound(
        Overload(
            f"({_SELF}, in: {_listed('PluginTensorDesc')}, out: {_listed('PluginTensorDesc')}) -> int",
            _DESCS,
            _DESCS,
        )
    )
    def get_workspace_size(self, *_ignored: Any) -> int:
        """Return the bytes of scratch memory that ``enqueue`` needs; overriding it is optional."""
        return 0

    @bound(
        Overload(
            f"({_SELF}, pos: {_listed('DynamicPluginTensorDesc')}, in_out: {_listed('DynamicPluginTensorDesc')})"
            " -> None",
            _DYNAMIC_DESCS,
            _DYNAMIC_DESCS,
        )
    )
    def configure_plugin(self, *_ignored: Any) -> None:
        """Receive the shapes, types and formats."""

    @bound(
        Overload(
            f"({_SELF}, pos: {_INTEGER}, in_out: {_listed('PluginTensorDesc')}, num_inputs: {_INTEGER}) -> bool",
            int32,
            _DESCS,
            int32,
        )
    )
    def supports_format_combination(self, *_ignored: Any) -> bool:
        """Return whether the plugin accepts the type and format of the tensor at ``pos``."""
        return False

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
        )
    )
    def enqueue(self, *_ignored: Any) -> None:
        """Run the plugin."""

    @bound(Overload(f"({_SELF}) -> IPluginV2DynamicExt"))
    def clone(self) -> Any:
        """Return a copy that can take this object's place."""
        return None
