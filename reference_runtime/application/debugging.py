"""IDebugListener: receives the values of tensors that were marked for debugging."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import pybind11_object
from reference_runtime.bound.capsules import pointer
from reference_runtime.bound.conversions import c_string, instance, size_t
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.values.dims import Dims, to_dims
from reference_runtime.values.enums import DataType, TensorLocation

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Gate

_PROCESS = Hook(
    "IDebugListener",
    "process_debug_tensor",
    "the execution continues as if the method had returned",
    lambda _value: True,
    missing=False,
    failed=True,
    called="processDebugTensor",
    pure=False,
)


class IDebugListener(pybind11_object, bound=True):
    """The base class of an application's listener."""

    @constructor(Overload("(self: IDebugListener) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(
        Overload(
            "(self: IDebugListener, addr: typing_extensions.CapsuleType, location: nvinfer1::TensorLocation,"
            " type: DataType, shape: Dims, name: str, stream: typing.SupportsInt) -> None",
            pointer,
            instance(TensorLocation),
            instance(DataType),
            to_dims,
            c_string,
            size_t,
        )
    )
    def process_debug_tensor(self, *_ignored: Any) -> None:
        """Do nothing, as the genuine method does; applications override it."""


class Shown(Struct, frozen=True):
    """A tensor that a listener receives; its memory is valid during the call only."""

    address: int
    location: TensorLocation
    dtype: DataType
    shape: tuple[int, ...]
    name: str


def process_debug_tensor(gate: Gate, listener: object, tensor: Shown, stream: int) -> bool:
    """Pass a tensor to a listener, and return whether it has the method; the method's return value is ignored."""
    shape = Dims(tensor.shape)
    seen = _PROCESS.through(gate, listener, tensor.address, tensor.location, tensor.dtype, shape, tensor.name, stream)
    return bool(seen)
