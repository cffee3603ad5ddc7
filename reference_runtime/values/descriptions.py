"""The runtime's own descriptions of tensors, which no plugin can change, and new descriptors made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from reference_runtime.bound.bound_class import holding, made
from reference_runtime.bound.conversions import float32
from reference_runtime.bound.enumeration import number_of
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.values.dims import MAX_DIMS, Dims

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference_runtime.values.enums import DataType, TensorFormat

Extents = tuple[int, ...]
Range = tuple[Extents, Extents, Extents]
"""The minimum, optimum and maximum dimensions of a tensor."""

NO_SCALE: Final = -1.0
"""The scale of a tensor that has none: every type but INT8."""

_ZEROS: Final = (0,) * MAX_DIMS


def as_dims(extents: Extents) -> Dims:
    """Return dimensions as a new `Dims`."""
    length = len(extents)
    return holding(Dims, {"length": length, "extents": [*extents, *_ZEROS[length:]]})


def no_dims() -> Dims:
    """Return TensorRT's answer if a tensor does not exist: a shape of -1 dimensions."""
    return made(Dims, length=-1, extents=[*_ZEROS])


class Described(Protocol):
    """The attributes that `Description` and `PluginTensorDesc` share."""

    @property
    def dims(self) -> Iterable[int]:
        """The dimensions."""
        ...

    @property
    def type(self) -> DataType:
        """The element type."""
        ...

    @property
    def format(self) -> TensorFormat:
        """The layout in memory."""
        ...

    @property
    def scale(self) -> float:
        """The INT8 scale."""
        ...


class Description(Struct, frozen=True):
    """The dimensions, type, format and scale of a tensor; -1 is a dimension that is not known yet."""

    dims: Extents
    type: DataType
    format: TensorFormat
    scale: float = NO_SCALE

    def sized(self, dims: Extents) -> Description:
        """Return the same tensor with other dimensions."""
        return Description(dims, self.type, self.format, self.scale)

    def fresh(self) -> PluginTensorDesc:
        """Return a new descriptor that a plugin may read, keep or change.

        This runs very often, so the native state is set directly, without the conversions of the properties.
        """
        held = {
            "dims": as_dims(self.dims),
            "type": number_of(self.type),
            "format": number_of(self.format),
            "scale": NO_SCALE if self.scale == NO_SCALE else float32(self.scale),
        }
        return holding(PluginTensorDesc, held)


class Bounds(Struct, frozen=True):
    """A description together with the dimensions that a profile allows."""

    desc: Description
    min: Extents
    opt: Extents
    max: Extents

    def fresh(self) -> DynamicPluginTensorDesc:
        """Return a new descriptor that a plugin may read, keep or change."""
        held = {
            "desc": self.desc.fresh(),
            "min": as_dims(self.min),
            "opt": as_dims(self.opt),
            "max": as_dims(self.max),
        }
        return holding(DynamicPluginTensorDesc, held)
