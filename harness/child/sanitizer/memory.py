"""Record the memory that ``enqueue`` was given, and find the piece that an address belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

#: What is farther from a piece than this has nothing to do with it.
_NEAR: Final = 1 << 20


class Piece(msgspec.Struct, frozen=True):
    """One tensor's memory, or the workspace.

    Attributes:
        label: ``inputs[0]``, ``outputs[0]``, ``workspace``.
        address: Where it begins.
        nbytes: How long it is.
        shapes: The shapes that ``enqueue`` ran with.
    """

    label: str
    address: int
    nbytes: int
    shapes: tuple[Any, ...] = ()

    def distance(self, address: int) -> int:
        """Return the distance in bytes of an address from the piece; 0 inside, negative before it."""
        if address < self.address:
            return address - self.address
        return max(address - (self.address + self.nbytes) + 1, 0)

    def beside(self, address: int) -> str:
        """Return in words where an address is."""
        distance, name = self.distance(address), f"{self.label} ({self.nbytes:,} bytes)"
        if not distance:
            return f"byte {address - self.address:,} of {name}"
        if distance < 0:
            return f"{-distance:,} bytes before {name}"
        return f"{distance - 1:,} bytes behind the end of {name}" if distance > 1 else f"right behind the end of {name}"


def nearest(pieces: Iterable[Piece], address: int | None) -> Piece | None:
    """Return the piece that an address is in or beside; None where it is far from all of them."""
    if address is None:
        return None
    near = min(pieces, key=lambda piece: abs(piece.distance(address)), default=None)
    return near if near is not None and abs(near.distance(address)) <= _NEAR else None
