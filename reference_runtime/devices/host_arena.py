"""An arena of the host device: memory that is lent in pieces, one after the other at the same address.

Theory. A piece is a buffer inside the arena, with its own exact bounds and guard bands. While it is lent, its address
leads to it alone, and it begins with poison. When it is taken back, it is searched for damage and filled with poison.
So a read through an old address finds poison, or the content of a later piece. A piece should be all poison when it is
lent, and when the arena is freed. If not, it was written through an old address: a fault, like damage to a guard band.
Of an arena of gigabytes only the ends of its pieces are filled and searched. To touch all of it takes seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from reference_runtime.devices.base import GUARD
from reference_runtime.devices.host_buffers import HostBuffer, poison_byte
from reference_runtime.devices.records import FaultKind

if TYPE_CHECKING:
    from reference_runtime.devices.host_buffers import AddressSpace

#: Bytes from which on an arena is large.
_LARGE: Final = 1 << 26


class Home(Protocol):
    """The device that an arena belongs to."""

    def adopt(self, buffer: HostBuffer, /) -> None:
        """Let a buffer belong to the device."""
        ...

    def report(self, kind: FaultKind, address: int, nbytes: int, label: str, sentence: str, /) -> object:
        """Record a fault."""
        ...


class HostArena:
    """Memory to lend pieces of; ``shared`` memory has an owner who may use it between executions."""

    def __init__(self, address: int, memory: memoryview, space: AddressSpace, home: Home, *, shared: bool) -> None:
        self.address = address
        self.nbytes = len(memory)
        self._bytes = np.frombuffer(memory, np.uint8)
        self._space = space
        self._home = home
        self._shared = shared
        self._is_large = self.nbytes > _LARGE
        self._pieces: list[HostBuffer] = []
        if not shared and not self._is_large:
            self._bytes[:] = poison_byte(0)

    def piece(self, offset: int, nbytes: int, *, label: str) -> HostBuffer:
        """Return the piece at ``offset``; it is not lent yet."""
        memory = self._bytes[offset - GUARD : offset + nbytes + GUARD]
        piece = HostBuffer(nbytes, label=label, owner="runtime", source="malloc", on_free=self.take_back, memory=memory)
        piece.address = self.address + offset
        self._home.adopt(piece)
        if self._is_large and not self._shared:
            piece.abandon()
            self._pieces.append(piece)
        return piece

    def lend(self, piece: HostBuffer) -> None:
        """Reset a piece and let its address lead to it."""
        if not self._shared and not piece.is_abandoned():
            self._tell(piece.address, piece.nbytes, piece.label, "no buffer was lent there")
        piece.poison()
        self._space.lend(piece)

    def take_back(self, piece: HostBuffer) -> None:
        """Take a piece back; its address must not be used any more."""
        self._space.take_back(piece)
        for damage in piece.damage():
            what = f"{damage.nbytes} bytes {damage.side} {piece!r} were overwritten"
            self._home.report(FaultKind.OVERWRITTEN, piece.address + damage.offset, damage.nbytes, piece.label, what)
        piece.abandon()

    def close(self) -> None:
        """Search the arena once more, before it is freed; no piece may be lent."""
        for piece in self._pieces:
            if not piece.is_abandoned():
                self._tell(piece.address, piece.nbytes, piece.label, "no buffer was lent there")
        if not self._shared and not self._is_large and not (self._bytes == poison_byte(0)).all():
            wrong = np.flatnonzero(self._bytes != poison_byte(0))
            self._tell(self.address + int(wrong[0]), len(wrong), "arena", "no buffer was lent there")

    def _tell(self, address: int, nbytes: int, label: str, why: str) -> None:
        what = f"memory at {address:#x} was overwritten while {why}: an address was used too late"
        self._home.report(FaultKind.OVERWRITTEN, address, nbytes, label, what)
