"""Compare the state that all objects of a plugin share: in its classes, their modules and its creator.

The comparison looks into containers, closures of functions, namespaces, and objects of the plugin's own classes. It
does not look into objects that are made for several threads, such as caches of ``functools``, locks and counters.
"""

from __future__ import annotations

import itertools
import sys
from collections import deque
from types import CellType, FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.observation.own_code import OURS
from reference_runtime import instruments

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_SEQUENCES = (list, tuple, set, frozenset, deque)
_ARRAYS = (np.ndarray, bytearray)
_CODE = (ModuleType, type, property)
_WRAPPED = (staticmethod, classmethod)
_CONSTANTS = (int, float, complex, str, bytes, np.generic, type(None))
#: The most levels of nested values, and the most values of an attribute, that are compared.
_DEEP, _MOST = 6, 1 << 12

#: The shared attributes by name, each with its value and the values nested in it.
SharedState = dict[str, list[Any]]


class SharedThings:
    """The attributes of a plugin's classes and creator, and the globals of their modules and of ``modules``."""

    def __init__(self, plugin: Any, creator: Any = None, modules: Iterable[ModuleType] = ()) -> None:
        classes = [*_own_classes(plugin), *_own_classes(creator)]
        homes = {cls.__module__: sys.modules[cls.__module__] for cls in classes if cls.__module__ in sys.modules}
        homes |= {module.__name__: module for module in modules}
        self._own = frozenset(homes)
        self._owners: dict[str, Mapping[str, Any]] = {cls.__name__: vars(cls) for cls in classes}
        self._owners |= {name: vars(module) for name, module in homes.items()}
        if any(_own_classes(creator)):
            self._owners["the creator"] = getattr(creator, "__dict__", {})

    def look(self) -> SharedState:
        """Return the current values of all attributes that can hold state."""
        every = ((owner, name) for owner, values in self._owners.items() for name in list(values))
        return {f"{owner}.{name}": self._held(owner, name) for owner, name in every if self._counts(owner, name)}

    def values(self) -> list[Any]:
        """Return the values of all attributes, without the values nested in them."""
        return [value for held in self._owners.values() for value in list(held.values())]

    def look_at(self, names: Iterable[str]) -> SharedState:
        """Return the current values of some attributes; those that no longer exist are left out."""
        places = {each: each.rpartition(".") for each in names}
        return {
            each: self._held(owner, name) for each, (owner, _, name) in places.items() if name in self._owners[owner]
        }

    def _counts(self, owner: str, name: str) -> bool:
        value = self._owners[owner][name]
        return not (name.startswith(("__", "_abc_")) or isinstance(value, _CODE) or _is_plain(value))

    def _held(self, owner: str, name: str) -> list[Any]:
        return list(itertools.islice(_leaves(self._owners[owner][name], self._own, _DEEP), _MOST))


def rewritten(before: SharedState, after: SharedState) -> list[str]:
    """Return the names of the attributes that are new, deleted, or have other values."""
    names = dict.fromkeys([*before, *after])
    return [name for name in names if not _same(before.get(name), after.get(name))]


def _own_classes(of: Any) -> Iterator[type]:
    for cls in type(of).__mro__:
        if instruments.is_bound(cls) or cls in (object, type(None)):
            break
        if cls.__module__.partition(".")[0] not in OURS:
            yield cls


def _is_plain(value: Any) -> bool:
    """Return whether a value is a function without a closure."""
    function = value.__func__ if isinstance(value, _WRAPPED) else value
    return isinstance(function, FunctionType) and not function.__closure__


def _leaves(value: Any, own: Collection[str], deep: int) -> Iterator[Any]:
    """Yield a value and the values nested in it, to ``deep`` levels.

    A tuple or frozenset cannot change, so only the values in it are yielded. An array is followed by its bytes.
    """
    if isinstance(value, _ARRAYS):
        yield value
        yield bytes(value)
        return
    if not isinstance(value, (tuple, frozenset)):
        yield value
    parts = _parts(value, own) if deep else ()
    yield len(parts)
    for part in parts:
        yield from _leaves(part, own, deep - 1)


def _parts(value: Any, own: Collection[str]) -> list[Any]:
    if isinstance(value, dict):
        return [part for item in list(value.items()) for part in item]
    if isinstance(value, _SEQUENCES):
        return list(value)[:_MOST]
    if isinstance(value, _WRAPPED):
        return [value.__func__]
    if isinstance(value, FunctionType):
        return [cell.cell_contents for cell in value.__closure__ or () if cell != CellType()]
    if isinstance(value, SimpleNamespace) or (type(value).__module__ in own and not isinstance(value, type)):
        return list(getattr(value, "__dict__", {}).items())
    return []


def _same(one: list[Any] | None, other: list[Any] | None) -> bool:
    return one is not None and other is not None and len(one) == len(other) and all(map(_equal, one, other))


def _equal(one: Any, other: Any) -> bool:
    return one is other or (isinstance(one, _CONSTANTS) and type(one) is type(other) and bool(one == other))
