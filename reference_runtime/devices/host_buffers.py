"""Memory of the host device: guarded, poisoned buffers in one address space.

Theory. The payload of a buffer is between two guard bands with a known pattern. A write past an end damages a band. A
new payload holds poison: no zeros, and no small number in any floating-point type. Opaque addresses are numbers that no
processor accepts as a pointer. They are non-canonical on x86-64, and out of every range on arm64 even if the top byte
is ignored. So a stray dereference faults as a device pointer does on a CPU. An opaque address is never reused. Host
addresses are real addresses. Freed memory is kept for a while. So a host address is not reused at once, and writes to
freed memory are detected.
"""

from __future__ import annotations

import bisect
import math
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, Protocol

import numpy as np

from reference_runtime.devices.base import ALIGNMENT, GUARD
from reference_runtime.devices.records import Damage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from reference_runtime.devices.records import FaultKind, Kind, Owner, Source

__all__ = ["GUARD", "AddressSpace", "Addresses", "HostBuffer", "damage_of", "guard_pattern", "poison_byte"]

Addresses = Literal["opaque", "host"]

_FIRST_ADDRESS: Final = 0x7DEB_0000_0000_0000
_FREED: Final = 0xDD
_END: Final = 1 << 23  # bytes at either end of a large buffer that are filled and checked
_REMEMBERED: Final = 4096  # the number of freed buffers whose addresses are still known,
_REMEMBERED_BYTES: Final = 1 << 26  # as long as they take no more memory than this
_POISON: Final = (0x7E, 0xFC, 0x7D, 0xFB, 0xFE, 0x7C, 0xFD, 0x7B)


def poison_byte(seed: int) -> int:
    """Return the byte that poisons memory for ``seed``.

    A number of only this byte is NaN, or above 40000 in size, in FP16, BF16, FP32 and FP64. An int32 is above sixteen
    million in size. The bytes of different seeds differ. So bytes that agree in two runs with different poison were
    written.
    """
    return _POISON[seed % len(_POISON)]


def _position(memory: npt.NDArray[np.uint8]) -> int:
    """Return the address of an array; ``array.ctypes`` would create objects that stay in memory."""
    position: int = memory.__array_interface__["data"][0]
    return position


_GUARD_PATTERN: Final = (np.arange(GUARD, dtype=np.uint32) * 37 + 11).astype(np.uint8)
_GUARD_PATTERN.flags.writeable = False


def guard_pattern() -> npt.NDArray[np.uint8]:
    """Return the content of an undamaged guard band, read-only."""
    return _GUARD_PATTERN


def damage_of(side: Literal["before", "after"], band: npt.NDArray[np.uint8], start: int) -> list[Damage]:
    """Return the damage to a guard band that begins ``start`` bytes from the payload; empty if there is none."""
    (wrong,) = np.nonzero(band != _GUARD_PATTERN)
    return [Damage(side, start + int(wrong[0]), len(wrong))] if len(wrong) else []


class Home(Protocol):
    """The device that a buffer belongs to."""

    def note(self, address: int, nbytes: int, kind: Kind, stream: int) -> None:
        """Record an access."""
        ...

    def refuse(self, kind: FaultKind, address: int, nbytes: int, label: str, sentence: str) -> NoReturn:
        """Record a misuse and raise it."""
        ...


class HostBuffer:
    """One allocation; ``owner`` is who allocated it, and ``source`` is the kind of call."""

    home: Home
    """The device that the buffer belongs to, which records its misuse."""

    def __init__(
        self,
        nbytes: int,
        *,
        label: str,
        owner: Owner,
        source: Source,
        on_free: Callable[[HostBuffer], None],
        memory: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        """Take new memory, or a part of an arena: ``memory`` is then the payload between its two guard bands."""
        self.nbytes = nbytes
        self.label = label
        self.owner: Owner = owner
        self.source: Source = source
        self.freed = False
        self.address = 0  # the address space sets it
        self._on_free = on_free
        if memory is not None:
            self._memory, self._begin = memory, GUARD
            return
        self._memory = np.empty(nbytes + 2 * GUARD + ALIGNMENT, np.uint8)
        self._begin = GUARD + -(_position(self._memory) + GUARD) % ALIGNMENT
        self.poison()

    @property
    def payload(self) -> npt.NDArray[np.uint8]:
        """Return the bytes of the buffer, without the guard bands; changes of the array change the buffer."""
        return self._memory[self._begin : self._begin + self.nbytes]

    @property
    def real_address(self) -> int:
        """Return the payload's address in this process."""
        return _position(self._memory) + self._begin

    def write(self, data: npt.NDArray[Any] | bytes) -> None:
        """Copy ``data`` to the beginning of the buffer, the elements of an array in C order.

        Raises:
            ValueError: The data are longer than the buffer.
        """
        raw = data if isinstance(data, bytes) else np.ascontiguousarray(data).tobytes()
        if len(raw) > self.nbytes:
            raise ValueError(f"{len(raw)} bytes do not fit into {self!r}")
        self.payload[: len(raw)] = np.frombuffer(raw, np.uint8)

    def read(self, dtype: npt.DTypeLike, shape: Sequence[int] | int) -> npt.NDArray[Any]:
        """Return a copy of the beginning of the buffer as an array.

        Raises:
            ValueError: The array would be longer than the buffer.
        """
        dims = (shape,) if isinstance(shape, int) else tuple(shape)
        size = math.prod(dims) * np.dtype(dtype).itemsize
        if size > self.nbytes:
            raise ValueError(f"{np.dtype(dtype)}{list(dims)} takes {size} bytes, more than {self!r} has")
        return np.array(np.frombuffer(self.payload[:size].tobytes(), dtype).reshape(dims))

    @property
    def watched(self) -> list[npt.NDArray[np.uint8]]:
        """Return the parts of the payload that are filled and checked: all, or only both ends if it is large.

        A plugin may request gigabytes of workspace. Touching all of them would take seconds each time.
        """
        payload = self.payload
        return [payload] if self.nbytes <= 2 * _END else [payload[:_END], payload[-_END:]]

    def fill(self, byte: int) -> None:
        """Set every byte of the buffer to ``byte``; in a large buffer, only the bytes at both ends."""
        for part in self.watched:
            part[:] = byte

    def poison(self, seed: int = 0) -> None:
        """Fill the payload with poison, and restore the guard bands."""
        self.fill(poison_byte(seed))
        for guard in self._guards:
            guard[:] = _GUARD_PATTERN

    def abandon(self) -> None:
        """Fill the payload and the guard bands with poison, which marks free memory of an arena."""
        for part in (*self.watched, *self._guards):
            part[:] = poison_byte(0)

    def is_abandoned(self) -> bool:
        """Return whether the payload and the guard bands still have the poison of ``abandon``."""
        return all(bool((part == poison_byte(0)).all()) for part in (*self.watched, *self._guards))

    @property
    def _guards(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        end = self._begin + self.nbytes
        return self._memory[self._begin - GUARD : self._begin], self._memory[end : end + GUARD]

    def damage(self) -> list[Damage]:
        """Return the illegal writes: in the guard bands, and in freed memory."""
        before, after = self._guards
        damage = damage_of("before", before, -GUARD)
        for part in self.watched if self.freed else ():
            (wrong,) = np.nonzero(part != _FREED)
            start = _position(part) - self.real_address
            damage += [Damage("freed", start + int(wrong[0]), len(wrong))] if len(wrong) else []
        return damage + damage_of("after", after, self.nbytes)

    def free(self) -> None:
        """Free the memory; a second call raises a fault."""
        self._on_free(self)

    def retire(self) -> None:
        """Mark the buffer as freed and overwrite its content."""
        self.freed = True
        self.fill(_FREED)

    def __repr__(self) -> str:
        return f"<{self.label or self.owner} buffer of {self.nbytes} bytes at {self.address:#x}>"


class BorrowedBuffer(HostBuffer):
    """Memory that a library has allocated itself: it has an address of the device, and no guard bands."""

    def __init__(self, memory: npt.NDArray[np.uint8], *, label: str, on_free: Callable[[HostBuffer], None]) -> None:
        super().__init__(len(memory), label=label, owner="plugin", source="pool", on_free=on_free, memory=memory)
        self._begin = 0

    def damage(self) -> list[Damage]:
        """Return an empty list, because the buffer has no guard bands."""
        return []

    def retire(self) -> None:
        """Mark the buffer as freed; the library may have the memory back already."""
        self.freed = True
        self._memory = np.empty(0, np.uint8)


class AddressSpace:
    """A map from addresses to buffers; it remembers freed buffers for a while."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._next = _FIRST_ADDRESS
        self._starts: list[int] = []
        self._buffers: dict[int, HostBuffer] = {}
        self._lent_starts: list[int] = []
        self._lent: dict[int, HostBuffer] = {}
        self._freed: deque[HostBuffer] = deque()
        self._freed_bytes = 0

    def place(self, buffer: HostBuffer, addresses: Addresses) -> None:
        """Assign an address to ``buffer``."""
        with self.lock:
            if addresses == "host":
                buffer.address = buffer.real_address
            else:
                buffer.address = self._next + GUARD
                self._next += -(-(buffer.nbytes + 2 * GUARD) // ALIGNMENT) * ALIGNMENT
            bisect.insort(self._starts, buffer.address)
            self._buffers[buffer.address] = buffer

    def lend(self, buffer: HostBuffer) -> None:
        """Make the address of ``buffer``, which is inside another buffer, refer to it until it is taken back."""
        with self.lock:
            bisect.insort(self._lent_starts, buffer.address)
            self._lent[buffer.address] = buffer

    def take_back(self, buffer: HostBuffer) -> None:
        """Make the address of ``buffer`` refer to the buffer around it again."""
        with self.lock:
            self._lent_starts.pop(bisect.bisect_left(self._lent_starts, buffer.address))
            del self._lent[buffer.address]

    def find(self, address: int) -> HostBuffer | None:
        """Return the buffer, living or freed, whose payload or guard bands contain ``address``; None without one.

        A lent buffer comes before the buffer around it.
        """
        with self.lock:
            lent = _holding(address, self._lent_starts, self._lent) if self._lent else None
            return lent or _holding(address, self._starts, self._buffers)

    def owner_of(self, address: int) -> HostBuffer | None:
        """Return the buffer that begins exactly at ``address``; None if there is none."""
        return self._buffers.get(address)

    def retire(self, buffer: HostBuffer) -> None:
        """Free ``buffer``; its address stays known until 4096 later buffers, or 64 MiB, were freed."""
        with self.lock:
            buffer.retire()
            self._freed.append(buffer)
            self._freed_bytes += buffer.nbytes
            while len(self._freed) > _REMEMBERED or self._freed_bytes > _REMEMBERED_BYTES:
                self._forget(self._freed.popleft())

    def forget_freed(self) -> None:
        """Forget all freed buffers now; their addresses become unknown.

        The tables also shrink to the memory that they need, because rules measure growth of memory between calls.
        """
        with self.lock:
            while self._freed:
                self._forget(self._freed.popleft())
            self._buffers = dict(self._buffers.items())
            self._starts = list(self._starts)

    def _forget(self, buffer: HostBuffer) -> None:
        self._freed_bytes -= buffer.nbytes
        self._starts.pop(bisect.bisect_left(self._starts, buffer.address))
        del self._buffers[buffer.address]


def _holding(address: int, starts: Sequence[int], buffers: dict[int, HostBuffer]) -> HostBuffer | None:
    index = bisect.bisect_right(starts, address + GUARD)
    for place in range(index - 1, max(index - 3, -1), -1):
        start = starts[place]
        buffer = buffers[start]
        if start - GUARD <= address < start + buffer.nbytes + GUARD:
            return buffer
    return None
