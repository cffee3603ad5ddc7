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
    """An address that a kernel receives, and the element type there; None for a type that NumPy does not have."""

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
        """Return the usable size in bytes, exactly as it was requested."""
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
        """Set every byte of the buffer to ``byte``."""
        ...

    def free(self) -> None:
        """Free the memory; the address must not be used again."""
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
    """Memory that is lent in pieces. Each piece has a guard band of ``GUARD`` bytes on either side."""

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
        """Fill a piece with poison, and make its address refer to it."""
        ...

    def take_back(self, piece: Any, /) -> None:
        """Take a piece back; damage to its guard bands becomes a fault of the device."""
        ...

    def close(self) -> None:
        """Check for damage once more, before the memory is freed."""
        ...


class Mark(Protocol):
    """A point in a stream: the end of all work that was submitted before."""


@runtime_checkable
class Device(Protocol):
    """A device on which plugins compute."""

    def allocate(self, nbytes: int, *, label: str = "") -> Buffer:
        """Return new memory with unspecified contents, aligned to ``ALIGNMENT``."""
        ...

    def arena(self, address: int, nbytes: int, *, shared: bool) -> Arena:
        """Return an arena in existing memory; the owner of ``shared`` memory may use it between executions."""
        ...

    def new_stream(self) -> Stream:
        """Return a new stream that does not wait for the default stream."""
        ...

    def reach(self, address: int, nbytes: int) -> None:
        """Raise `DeviceFault` unless ``nbytes`` bytes at ``address`` are in one allocation."""
        ...

    def is_address(self, address: int) -> bool:
        """Return whether an address is in memory of the device."""
        ...

    def mark(self, stream: int) -> Mark:
        """Return a mark behind all work that ``stream`` has so far."""
        ...

    def comes_after(self, stream: int, mark: Any, /) -> bool:
        """Return whether all later work on ``stream`` is certain to run after ``mark``."""
        ...

    def wait(self, stream: int, mark: Any, /) -> None:
        """Make later work on ``stream`` wait for ``mark``."""
        ...

    def record_event(self, event: int, *, stream: int) -> None:
        """Record the application's ``cudaEvent_t`` on ``stream``."""
        ...

    def synchronize(self) -> None:
        """Wait until all work on the device is done."""
        ...

    def launch(self, image: bytes, name: str, sizes: Sequence[int], arguments: Sequence[Any], *, stream: int) -> None:
        """Launch a compiled kernel.

        Args:
            image: The compiled code.
            name: The kernel's name.
            sizes: The grid (three numbers), the block (three numbers), and the bytes of shared memory.
            arguments: `Pointer` objects and numbers.
            stream: The handle of the stream.
        """
        ...

    def fetch(self, address: int, nbytes: int, *, stream: int) -> bytes:
        """Return the content of device memory, read after the earlier work on ``stream``."""
        ...

    def store(self, address: int, data: bytes, *, stream: int) -> None:
        """Write to device memory, after the earlier work on ``stream``."""
        ...
