"""The device interfaces of the runtime: memory, streams and the device itself, as protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

ALIGNMENT = 256
"""Every allocation begins at a multiple of this, as ``cudaMalloc`` promises."""

GUARD = 2 * ALIGNMENT
"""The width of a guard band, in bytes; a buffer has one on either side."""


class Pointer(Struct, frozen=True):
    """Hold an address for a kernel, and the element type there; None for a type that NumPy does not have."""

    address: int
    dtype: Any
    constant: bool


@runtime_checkable
class Buffer(Protocol):
    """One allocation: an address that plugins get, and the host's access to its contents."""

    @property
    def address(self) -> int:
        """The device address of the first byte, an int as ``enqueue`` receives it."""
        ...

    @property
    def nbytes(self) -> int:
        """The number of bytes that may be used, exactly as asked for."""
        ...

    @property
    def label(self) -> str:
        """Return the name of the allocation in messages: ``input 'x'``, ``workspace``."""
        ...

    def write(self, data: npt.NDArray[Any] | bytes) -> None:
        """Copy ``data`` to the beginning of the buffer."""
        ...

    def read(self, dtype: npt.DTypeLike, shape: Sequence[int] | int) -> npt.NDArray[Any]:
        """Return a copy of the beginning of the buffer as an array."""
        ...

    def fill(self, byte: int) -> None:
        """Set every byte of the buffer."""
        ...

    def free(self) -> None:
        """Give the memory back; the address must not be used again."""
        ...


@runtime_checkable
class Stream(Protocol):
    """An ordered queue of device work."""

    @property
    def handle(self) -> int:
        """The ``cudaStream_t``, an int as ``enqueue`` receives it."""
        ...

    def synchronize(self) -> None:
        """Wait until all work on the stream is done."""
        ...


@runtime_checkable
class Arena(Protocol):
    """Memory that is lent in pieces; a piece has a guard band of ``GUARD`` bytes on either side."""

    @property
    def address(self) -> int:
        """The device address of the first byte."""
        ...

    @property
    def nbytes(self) -> int:
        """Return the size of the memory in bytes."""
        ...

    def piece(self, offset: int, nbytes: int, *, label: str) -> Buffer:
        """Return the piece at ``offset``; it is not lent yet."""
        ...

    def lend(self, piece: Any, /) -> None:
        """Poison a piece and let its address lead to it."""
        ...

    def take_back(self, piece: Any, /) -> None:
        """Take a piece back; damage to its guard bands becomes a fault of the device."""
        ...

    def close(self) -> None:
        """Check for damage once more, before the memory is freed."""
        ...


class Mark(Protocol):
    """A point in a stream: the end of its work so far."""


@runtime_checkable
class Device(Protocol):
    """A device on which plugins compute."""

    def allocate(self, nbytes: int, *, label: str = "") -> Buffer:
        """Return new memory with unspecified contents, aligned to ``ALIGNMENT``."""
        ...

    def arena(self, address: int, nbytes: int, *, shared: bool) -> Arena:
        """Return an arena of memory that is there already; ``shared``: others may use it between executions."""
        ...

    def new_stream(self) -> Stream:
        """Return a new stream that runs apart from the default one."""
        ...

    def reach(self, address: int, nbytes: int) -> None:
        """Raise `DeviceFault` unless so many bytes at ``address`` are in one piece of memory."""
        ...

    def is_address(self, address: int) -> bool:
        """Say whether an address is in memory of the device."""
        ...

    def mark(self, stream: int) -> Mark:
        """Return the point that ``stream`` has come to."""
        ...

    def comes_after(self, stream: int, mark: Any, /) -> bool:
        """Say whether all later work on ``stream`` is certain to come after ``mark``."""
        ...

    def wait(self, stream: int, mark: Any, /) -> None:
        """Let later work on ``stream`` come after ``mark``."""
        ...

    def record_event(self, event: int, *, stream: int) -> None:
        """Record a ``cudaEvent_t`` of the application's on ``stream``."""
        ...

    def synchronize(self) -> None:
        """Wait until all work on the device is done."""
        ...

    def launch(self, image: bytes, name: str, sizes: Sequence[int], arguments: Sequence[Any], *, stream: int) -> None:
        """Launch a compiled kernel with `Pointer`s and numbers; ``sizes``: grid, block and shared memory."""
        ...

    def fetch(self, address: int, nbytes: int, *, stream: int) -> bytes:
        """Return what device memory holds, in the order of ``stream``."""
        ...

    def store(self, address: int, data: bytes, *, stream: int) -> None:
        """Write to device memory, in the order of ``stream``."""
        ...
