"""Simulate a host device that runs out of memory after a number of allocations."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

TOTAL_MEMORY: Final = 16 << 30
"""How many bytes the host device has."""


class OutOfDeviceMemory(MemoryError):  # noqa: N818 - what CUDA calls it
    """The device has no memory left; the bridges translate this into the error of the library that was called."""


class Shortage:
    """Limits how many allocations succeed, within a block; outside of it, all succeed."""

    def __init__(self) -> None:
        self.refused = 0
        self._left: int | None = None

    @contextmanager
    def after(self, allocations: int) -> Iterator[None]:
        """Within the block, let ``allocations`` allocations succeed and refuse all later ones."""
        before, self._left = self._left, allocations
        try:
            yield
        finally:
            self._left = before

    def admit(self) -> None:
        """Count one allocation.

        Raises:
            OutOfDeviceMemory: The limit is reached.
        """
        if self._left is None:
            return
        if self._left == 0:
            self.refused += 1
            raise OutOfDeviceMemory("the device has no memory left")
        self._left -= 1
