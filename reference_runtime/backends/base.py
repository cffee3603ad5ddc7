"""What the runtime asks of a device: memory, streams and the device itself, as protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

__all__ = ["ALIGNMENT", "Buffer", "Device", "Stream"]

ALIGNMENT = 256
"""Every allocation begins at a multiple of this, as ``cudaMalloc`` promises."""


@runtime_checkable
class Buffer(Protocol):
    """One allocation: an address that plugins get, and the host's way to its contents."""

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
        """What the allocation is, for messages: ``input 'x'``, ``workspace``."""
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
class Device(Protocol):
    """Where plugins compute."""

    def allocate(self, nbytes: int, *, label: str = "") -> Buffer:
        """Return new memory with unspecified contents, aligned to ``ALIGNMENT``."""
        ...

    def new_stream(self) -> Stream:
        """Return a new stream that runs apart from the default one."""
        ...

    def synchronize(self) -> None:
        """Wait until all work on the device is done."""
        ...

    def fetch(self, address: int, nbytes: int, *, stream: int) -> bytes:
        """Return what device memory holds, in the order of ``stream``."""
        ...

    def store(self, address: int, data: bytes, *, stream: int) -> None:
        """Write to device memory, in the order of ``stream``."""
        ...
