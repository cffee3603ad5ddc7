"""IOutputAllocator as in TensorRT 8.6: its callbacks are bound methods, and it has ``tensorrt_version``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.application.allocators import NOTIFY_SHAPE, REALLOCATE_OUTPUT
from reference_runtime.bound.bound_class import attribute
from reference_runtime.bound.capsules import capsule, pointer
from reference_runtime.bound.conversions import size_t, string
from reference_runtime.bound.level_constants import version_facts
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.values.dims import to_dims

if TYPE_CHECKING:
    from reference_runtime.values.dims import Dims

_NAME = "self: IOutputAllocator, tensor_name: str"


class OutputAllocatorMembers:
    """The members of ``IOutputAllocator`` in TensorRT 8.6 that version 10 lacks or changed."""

    tensorrt_version = attribute(lambda _self: version_facts().number)

    @bound(
        Overload(f"({_NAME}, memory: capsule, size: int, alignment: int) -> capsule", string, pointer, size_t, size_t)
    )
    def reallocate_output(self: Any, name: str, memory: int, size: int, alignment: int) -> Any:
        """Call the override as C++ does."""
        return capsule(REALLOCATE_OUTPUT.directly(self, name, memory, size, alignment))

    @bound(Overload(f"({_NAME}, shape: Dims) -> None", string, to_dims))
    def notify_shape(self: Any, name: str, shape: Dims) -> None:
        """Call the override as C++ does."""
        NOTIFY_SHAPE.directly(self, name, shape)
