"""Simulate a host device that runs out of memory after a number of allocations."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

TOTAL_MEMORY: Final = 16 << 30
"""How many bytes the host device has."""


class OutOfDeviceMemory(MemoryError):  # noqa: N818 - what CUDA calls it
    """The device has no memory left; the bridges turn it into the error of the call at hand."""


class Shortage:
    """Counts allocations down while memory is short; otherwise there is plenty."""

    def __init__(self) -> None:
        self.refused = 0
        self._left: int | None = None

    @contextmanager
    def after(self, allocations: int) -> Iterator[None]:
        """Let so many allocations succeed, and refuse every later one."""
        before, self._left = self._left, allocations
        try:
            yield
        finally:
            self._left = before

    def admit(self) -> None:
        """Count one allocation against the remaining memory."""
        if self._left is None:
            return
        if self._left == 0:
            self.refused += 1
            raise OutOfDeviceMemory("the device has no memory left")
        self._left -= 1
