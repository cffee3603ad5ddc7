"""Memory that the application manages: IGpuAllocator, IGpuAsyncAllocator and IOutputAllocator, and calls of these.

Overrides in Python receive addresses as integers, and 0 is null. A bound method that Python calls returns a capsule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import pybind11_object
from reference_runtime.bound.capsules import capsule, pointer
from reference_runtime.bound.conversions import boolean, integer, size_t
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.level_constants import version_facts
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.values.dims import Dims
from reference_runtime.values.refusals import Reason, Refused
from reference_runtime.values.versioned_interface import IVersionedInterface

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.devices.base import Buffer, Device

_NO_MEMORY = "TensorRT gets a null pointer: the allocation failed"
_NOT_FREED = "TensorRT assumes that the memory is still allocated"
_UINT32 = integer(32, signed=False)
_CAPSULE = "typing_extensions.CapsuleType"
_INT = "typing.SupportsInt"
_SIZES = f"size: {_INT}, alignment: {_INT}, flags: {_INT}"


def _allocating(method: str) -> Hook:
    """Make the hook of a method that returns memory; the bindings' messages call each method ``allocate()``."""
    return Hook(
        "IGpuAllocator",
        method,
        _NO_MEMORY,
        size_t,
        missing=0,
        failed=0,
        called="allocate",
        type_name="an int",
        pure=False,
    )


def _freeing(method: str) -> Hook:
    return Hook(
        "IGpuAllocator", method, _NOT_FREED, boolean, missing=False, failed=False, called="deallocate", pure=False
    )


_ALLOCATE, _ALLOCATE_ASYNC, _REALLOCATE = (
    _allocating(method) for method in ("allocate", "allocate_async", "reallocate")
)
_DEALLOCATE, _DEALLOCATE_ASYNC = _freeing("deallocate"), _freeing("deallocate_async")


def _allocated(allocator: object, size: int, alignment: int, flags: int, stream: int, call: Callable[..., Any]) -> int:
    """Allocate as C++ does: call ``allocate_async`` of an `IGpuAsyncAllocator`, and ``allocate`` of others.

    The 10.16 bindings pass ``stream`` before ``flags`` to ``allocate_async``; its signature has ``flags`` first.
    """
    if isinstance(allocator, IGpuAsyncAllocator):
        last = (stream, flags) if version_facts().stream_before_flags else (flags, stream)
        return int(call(_ALLOCATE_ASYNC, size, alignment, *last))
    return int(call(_ALLOCATE, size, alignment, flags))


def _deallocated(allocator: object, memory: int, stream: int, call: Callable[..., Any]) -> bool:
    if isinstance(allocator, IGpuAsyncAllocator):
        return bool(call(_DEALLOCATE_ASYNC, memory, stream))
    return bool(call(_DEALLOCATE, memory))


def _by_python(allocator: object) -> Callable[..., Any]:
    return lambda hook, *arguments: hook.directly(allocator, *arguments)


def _by_tensorrt(gate: Gate, allocator: object) -> Callable[..., Any]:
    return lambda hook, *arguments: hook.through(gate, allocator, *arguments)


def of_device(device: Device, nbytes: int, label: str) -> Buffer:
    """Return memory from the device, for an application without an allocator.

    Raises:
        Refused: The device has no memory left.
    """
    try:
        return device.allocate(nbytes, label=label)
    except MemoryError as error:
        raise Refused(f"{label}: {nbytes} bytes could not be allocated", Reason.ALLOCATION) from error


def allocate(gate: Gate, allocator: object, size: int, alignment: int, flags: int = 0, stream: int = 0) -> int:
    """Ask an application's allocator for memory; 0 if it returns none."""
    return _allocated(allocator, size, alignment, flags, stream, _by_tensorrt(gate, allocator))


def reallocate(gate: Gate, allocator: object, address: int, alignment: int, new_size: int) -> int:
    """Ask an application's allocator to resize memory; 0 if it does not."""
    return int(_REALLOCATE.through(gate, allocator, address, alignment, new_size))


def deallocate(gate: Gate, allocator: object, memory: int, stream: int = 0) -> bool:
    """Return memory to an application's allocator; False if it refuses."""
    return _deallocated(allocator, memory, stream, _by_tensorrt(gate, allocator))


class IGpuAllocator(IVersionedInterface, bound=True):
    """The base class of an application's allocator of device memory."""

    @constructor(Overload("(self: IGpuAllocator) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(Overload(f"(self: IGpuAllocator, {_SIZES}) -> {_CAPSULE}", size_t, size_t, _UINT32))
    @deprecated("Deprecated in TensorRT 10.0. Superseded by allocate")
    def allocate(self, size: int, alignment: int, flags: int) -> Any:
        """Call the override as C++ does; None if it returns no memory."""
        return capsule(_allocated(self, size, alignment, flags, 0, _by_python(self)))

    @bound(Overload(f"(self: IGpuAllocator, memory: {_CAPSULE}) -> bool", pointer))
    @deprecated("Deprecated in TensorRT 10.0. Superseded by deallocate_async")
    def deallocate(self, memory: int) -> bool:
        """Call the override as C++ does; False if it refuses the memory."""
        return _deallocated(self, memory, 0, _by_python(self))

    @bound(
        Overload(
            f"(self: IGpuAllocator, address: {_CAPSULE}, alignment: {_INT}, new_size: {_INT}) -> {_CAPSULE}",
            pointer,
            size_t,
            size_t,
        )
    )
    def reallocate(self, address: int, alignment: int, new_size: int) -> Any:
        """Call the override as C++ does; None if it does not resize the memory."""
        return capsule(_REALLOCATE.directly(self, address, alignment, new_size))

    @bound(Overload(f"(self: IGpuAllocator, {_SIZES}, stream: {_INT}) -> {_CAPSULE}", size_t, size_t, _UINT32, size_t))
    def allocate_async(self, size: int, alignment: int, flags: int, stream: int) -> Any:
        """Allocate in the order of a stream; without an override, allocate at once."""
        return capsule(_allocated(self, size, alignment, flags, stream, _by_python(self)))

    @bound(Overload(f"(self: IGpuAllocator, memory: {_CAPSULE}, stream: {_INT}) -> bool", pointer, size_t))
    def deallocate_async(self, memory: int, stream: int) -> bool:
        """Free in the order of a stream; without an override, free at once."""
        return _deallocated(self, memory, stream, _by_python(self))


class IGpuAsyncAllocator(IGpuAllocator, bound=True):
    """The base class of an application's allocator that allocates in the order of a stream."""

    allocate_async = IGpuAllocator.allocate_async  # the genuine class defines it again, with the base's signatures
    deallocate_async = IGpuAllocator.deallocate_async

    @constructor(Overload("(self: IGpuAsyncAllocator) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(Overload(f"(self: IGpuAsyncAllocator, {_SIZES}) -> {_CAPSULE}", size_t, size_t, _UINT32))
    @deprecated("Deprecated in TensorRT 10.0. Superseded by allocate")
    def allocate(self, size: int, alignment: int, flags: int) -> Any:
        """Allocate on the default stream: C++ calls ``allocate_async``."""
        return capsule(_allocated(self, size, alignment, flags, 0, _by_python(self)))

    @bound(Overload(f"(self: IGpuAsyncAllocator, memory: {_CAPSULE}) -> bool", pointer))
    @deprecated("Deprecated in TensorRT 10.0. Superseded by deallocate_async")
    def deallocate(self, memory: int) -> bool:
        """Free on the default stream: C++ calls ``deallocate_async``."""
        return _deallocated(self, memory, 0, _by_python(self))


def _output_memory(method: str, called: str, *, optional: bool = False) -> Hook:
    return Hook(
        "IOutputAllocator",
        method,
        "TensorRT gets a null pointer: the execution fails",
        size_t,
        missing=None if optional else 0,
        failed=0,
        called=called,
        type_name="an int",
        pure=False,
        optional=optional,
    )


REALLOCATE_OUTPUT = _output_memory("reallocate_output", "reallocateOutput")
_OUTPUT_ASYNC = _output_memory("reallocate_output_async", "reallocateOutputAsync", optional=True)
NOTIFY_SHAPE = Hook("IOutputAllocator", "notify_shape", "the application does not get the shape", called="notifyShape")


class IOutputAllocator(pybind11_object, bound=True):
    """The base class of an application's allocator of outputs. It has no bound methods; TensorRT calls overrides only.

    The overrides are ``reallocate_output(name, memory, size, alignment)``, ``reallocate_output_async(..., stream)``,
    which TensorRT prefers, and ``notify_shape(name, shape)``.
    """

    @constructor(Overload("(self: IOutputAllocator) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""


def reallocate_output(
    gate: Gate, allocator: object, name: str, memory: int, size: int, alignment: int, stream: int = 0
) -> int:
    """Request the memory of an output from the application; return its address, or 0 if there is none."""
    address = None
    if version_facts().asynchronous_outputs:
        address = _OUTPUT_ASYNC.through(gate, allocator, name, memory, size, alignment, stream)
    if address is None:
        address = REALLOCATE_OUTPUT.through(gate, allocator, name, memory, size, alignment)
    return int(address)


def notify_shape(gate: Gate, allocator: object, name: str, shape: Sequence[int]) -> None:
    """Pass the shape of an output to the application."""
    NOTIFY_SHAPE.through(gate, allocator, name, Dims(shape))
