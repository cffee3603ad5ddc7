"""An arena of the host device: memory of which pieces are lent for a while, one after the other at the same place.

Theory. A piece is a buffer inside the arena, with exact bounds and guard bands of its own. While it is lent, its
address leads to it alone, and it begins with poison. Taken back, it is searched for damage and leaves poison behind, so
what reads memory that was lent before finds poison, or what was lent there since. What is not poison when a piece is
lent, or when the arena goes, was written through an address that somebody kept: a fault, like damage to a guard band.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from reference_runtime.devices.base import GUARD
from reference_runtime.devices.host_buffers import HostBuffer, poison_byte
from reference_runtime.devices.records import FaultKind

if TYPE_CHECKING:
    from reference_runtime.devices.host_buffers import AddressSpace

__all__ = ["HostArena"]


class Home(Protocol):
    """The device that an arena belongs to."""

    def adopt(self, buffer: HostBuffer, /) -> None:
        """Take a buffer for one of the device's own."""
        ...

    def report(self, kind: FaultKind, address: int, nbytes: int, label: str, sentence: str, /) -> object:
        """Record a fault."""
        ...


class HostArena:
    """Memory to lend pieces of; ``shared`` memory belongs to somebody who may use it between executions."""

    def __init__(self, address: int, memory: memoryview, space: AddressSpace, home: Home, *, shared: bool) -> None:
        self.address = address
        self.nbytes = len(memory)
        self._bytes = np.frombuffer(memory, np.uint8)
        self._space = space
        self._home = home
        self._shared = shared
        if not shared:
            self._bytes[:] = poison_byte(0)

    def piece(self, offset: int, nbytes: int, *, label: str) -> HostBuffer:
        """Return the piece at ``offset``; it is not lent yet."""
        memory = self._bytes[offset - GUARD : offset + nbytes + GUARD]
        piece = HostBuffer(nbytes, label=label, owner="runtime", source="malloc", on_free=self.take_back, memory=memory)
        piece.address = self.address + offset
        self._home.adopt(piece)
        return piece

    def lend(self, piece: HostBuffer) -> None:
        """Make a piece as new and let its address lead to it."""
        if not self._shared and not piece.is_abandoned():
            self._tell(piece.address, piece.nbytes, piece.label, "nothing was lent there")
        piece.poison()
        self._space.lend(piece)

    def take_back(self, piece: HostBuffer) -> None:
        """Let a piece go; nobody may use its address any more."""
        self._space.take_back(piece)
        for damage in piece.damage():
            what = f"{damage.nbytes} bytes {damage.side} {piece!r} were overwritten"
            self._home.report(FaultKind.OVERWRITTEN, piece.address + damage.offset, damage.nbytes, piece.label, what)
        piece.abandon()

    def close(self) -> None:
        """Search the arena once more, before it goes; nothing may be lent."""
        if not self._shared and not (self._bytes == poison_byte(0)).all():
            wrong = np.flatnonzero(self._bytes != poison_byte(0))
            self._tell(self.address + int(wrong[0]), len(wrong), "arena", "nothing was lent there")

    def _tell(self, address: int, nbytes: int, label: str, why: str) -> None:
        what = f"memory at {address:#x} was overwritten while {why}: somebody kept the address of a buffer for too long"
        self._home.report(FaultKind.OVERWRITTEN, address, nbytes, label, what)
