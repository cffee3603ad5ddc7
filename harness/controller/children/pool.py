"""The open children: one for each module and API level, started when asked for, a limited number at a time."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.protocol.asked import Isolation

#: Children that wait at the same time; each holds a Python with NumPy in memory.
MOST = 8


class Children:
    """Keeps a child for each module and level; the child used longest ago is closed for a new child.

    Attributes:
        make: Makes a child that is not kept here, for a module and a level.
    """

    def __init__(self, make: Callable[[str, str], Isolation], most: int = MOST) -> None:
        self.make = make
        self._most = most
        self._open: collections.OrderedDict[tuple[str, str], Isolation] = collections.OrderedDict()

    def of(self, module: str, spec: str) -> Isolation:
        """Return the child of a module at a level; a new child is not loaded yet."""
        key = (module, spec)
        if key not in self._open:
            while len(self._open) >= self._most:
                _, oldest = self._open.popitem(last=False)
                oldest.close()
            self._open[key] = self.make(module, spec)
        self._open.move_to_end(key)
        return self._open[key]

    def close_those_of(self, module: str) -> None:
        """Close the children of one module."""
        for key in [key for key in self._open if key[0] == module]:
            self._open.pop(key).close()

    def close(self) -> None:
        """Close all."""
        while self._open:
            _, child = self._open.popitem()
            child.close()
