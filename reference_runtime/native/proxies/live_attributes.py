"""Attributes that C++ returns at each query: a plugin in Python assigns them, a C++ plugin has functions for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from reference_runtime.bound.bound_class import exchange, native


class _LiveState(dict[str, Any]):
    """The state of an object in C++; it reads and writes some keys there."""

    __slots__ = ("needed", "readers", "writers")

    readers: Mapping[str, Callable[[], Any]]
    writers: Mapping[str, Callable[[Any], object]]
    needed: Collection[str]

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, from C++ where it has it."""
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
    """Have attributes of a bound object read from C++, and written to it.

    Those that are needed are missing if C++ returns a null pointer.
    """
    held = _LiveState(native(proxy))
    held.readers, held.writers, held.needed = readers, writers or {}, needed
    exchange(proxy, held)
