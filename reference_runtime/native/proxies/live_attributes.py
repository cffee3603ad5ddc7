"""Read attributes from C++ at each access: a Python plugin assigns them, a C++ plugin has functions for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from reference_runtime.bound.bound_class import exchange, native


class _LiveState(dict[str, Any]):
    """The state of a proxy; some keys are read from its C++ object and written to it."""

    __slots__ = ("needed", "readers", "writers")

    readers: Mapping[str, Callable[[], Any]]
    writers: Mapping[str, Callable[[Any], object]]
    needed: Collection[str]

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, from C++ if a reader exists for it."""
        return self.readers[key]() if key in self.readers else dict.get(self, key, default)

    def __getitem__(self, key: str) -> Any:
        return self.readers[key]() if key in self.readers else dict.__getitem__(self, key)

    def __contains__(self, key: object) -> bool:
        if key in self.needed and self.readers[str(key)]() is None:
            return False
        return key in self.readers or dict.__contains__(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self.writers:
            self.writers[key](value)
        else:
            dict.__setitem__(self, key, value)


def ask_each_time(
    proxy: object,
    readers: Mapping[str, Callable[[], Any]],
    writers: Mapping[str, Callable[[Any], object]] | None = None,
    needed: Collection[str] = (),
) -> None:
    """Read some attributes of a proxy from its C++ object at each access, and write them to it.

    An attribute of ``needed`` is missing if its reader returns None, which is a null pointer in C++.
    """
    held = _LiveState(native(proxy))
    held.readers, held.writers, held.needed = readers, writers or {}, needed
    exchange(proxy, held)
