"""An arena of the host device: memory that is lent in pieces, one after the other at the same address.

Theory. A piece is a buffer inside the arena, with exact bounds and guard bands. When it is lent, it is filled with
poison, and its address refers to it alone. When it is taken back, it is checked for damage and poisoned again. So a
read through an old address finds poison, or the content of a later piece. A piece must be all poison when it is lent,
and when the arena is freed. If not, it was written through an old address: a fault, like damage to a guard band.

Touching gigabytes takes seconds. So in an arena above 64 MiB only the pieces are filled and checked, large ones only at
their ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from reference_runtime.devices.base import GUARD
from reference_runtime.devices.host_buffers import HostBuffer, poison_byte
from reference_runtime.devices.records import FaultKind

if TYPE_CHECKING:
    from reference_runtime.devices.host_buffers import AddressSpace

#: An arena of more bytes is large: see the module's docstring.
_LARGE: Final = 1 << 26


class Home(Protocol):
    """The device that an arena belongs to."""

    def adopt(self, buffer: HostBuffer, /) -> None:
        """Make a buffer belong to the device."""
        ...

    def report(self, kind: FaultKind, address: int, nbytes: int, label: str, sentence: str, /) -> object:
        """Record a fault."""
        ...


class HostArena:
    """Memory that is lent in pieces; the owner of ``shared`` memory may use it between executions."""

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
        """Poison a piece, and make its address refer to it; report a write to it while it was not lent."""
        if not self._shared and not piece.is_abandoned():
            self._tell(piece.address, piece.nbytes, piece.label)
        piece.poison()
        self._space.lend(piece)

    def take_back(self, piece: HostBuffer) -> None:
        """Take a piece back and report damage to its guard bands; its address must not be used any more."""
        self._space.take_back(piece)
        for damage in piece.damage():
            what = f"{damage.nbytes} bytes {damage.side} {piece!r} were overwritten"
            self._home.report(FaultKind.OVERWRITTEN, piece.address + damage.offset, damage.nbytes, piece.label, what)
        piece.abandon()

    def close(self) -> None:
        """Report writes to the arena while no piece was lent; called before the arena is freed."""
        for piece in self._pieces:
            if not piece.is_abandoned():
                self._tell(piece.address, piece.nbytes, piece.label)
        if not self._shared and not self._is_large and not (self._bytes == poison_byte(0)).all():
            wrong = np.flatnonzero(self._bytes != poison_byte(0))
            self._tell(self.address + int(wrong[0]), len(wrong), "arena")

    def _tell(self, address: int, nbytes: int, label: str) -> None:
        what = f"memory at {address:#x} was overwritten while no buffer was lent there: an address was used too late"
        self._home.report(FaultKind.OVERWRITTEN, address, nbytes, label, what)
