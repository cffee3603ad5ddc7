"""Describe the memory of an execution, and find the piece that an address belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

#: An address that is farther from a piece, in bytes, does not belong to it.
_NEAR: Final = 1 << 20


class Piece(msgspec.Struct, frozen=True):
    """One tensor's memory, or the workspace.

    Attributes:
        label: ``inputs[0]``, ``outputs[0]``, ``workspace``.
        address: Its first address.
        nbytes: Its length in bytes.
        shapes: The input shapes of the execution.
    """

    label: str
    address: int
    nbytes: int
    shapes: tuple[Any, ...] = ()

    def distance(self, address: int) -> int:
        """Return the distance in bytes of an address from the piece; 0 inside the piece, negative before it."""
        if address < self.address:
            return address - self.address
        return max(address - (self.address + self.nbytes) + 1, 0)

    def beside(self, address: int) -> str:
        """Return the position of an address relative to the piece, in words."""
        distance, name = self.distance(address), f"{self.label} ({self.nbytes:,} bytes)"
        if not distance:
            return f"byte {address - self.address:,} of {name}"
        if distance < 0:
            return f"{-distance:,} bytes before {name}"
        return f"{distance - 1:,} bytes behind the end of {name}" if distance > 1 else f"right behind the end of {name}"


def nearest(pieces: Iterable[Piece], address: int | None) -> Piece | None:
    """Return the piece that an address is in or near; None if it is far from all pieces."""
    if address is None:
        return None
    near = min(pieces, key=lambda piece: abs(piece.distance(address)), default=None)
    return near if near is not None and abs(near.distance(address)) <= _NEAR else None
