"""What all objects of a plugin share: the attributes of its classes and of their modules, compared before and after."""

from __future__ import annotations

import sys
from collections import deque
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from reference_runtime import instruments

_CONTAINERS = (list, dict, set, deque)
_ARRAYS = (np.ndarray, bytearray)
_CODE = (FunctionType, ModuleType, type, staticmethod, classmethod, property)
_CONSTANTS = (int, float, complex, str, bytes, tuple, frozenset, type(None))

SharedState = dict[str, tuple[Any, Any]]


def shared_state(plugin: Any) -> SharedState:
    """Return each shared attribute by its name, with what it holds now."""
    found: SharedState = {}
    for cls in type(plugin).__mro__:
        if instruments.is_bound(cls):
            break
        found.update(_attributes(cls.__name__, vars(cls)))
        found.update(_attributes(cls.__module__, vars(sys.modules[cls.__module__])))
    return found


def rewritten(before: SharedState, after: SharedState) -> list[str]:
    """Return the names of the attributes that are new, gone, or hold something else."""
    names = dict.fromkeys([*before, *after])
    return [name for name in names if name not in before or name not in after or not _same(before[name], after[name])]


def _attributes(owner: str, values: Any) -> SharedState:
    return {
        f"{owner}.{name}": (value, _content(value))
        for name, value in list(values.items())
        if not name.startswith(("__", "_abc_")) and not isinstance(value, _CODE)
    }


def _content(value: Any) -> Any:
    """Return what is in a container, one level deep, and what an array of the host's holds."""
    if isinstance(value, dict):
        return [part for item in value.items() for part in item]
    if isinstance(value, _CONTAINERS):
        return list(value)
    return bytes(value) if isinstance(value, _ARRAYS) else None


def _same(one: tuple[Any, Any], other: tuple[Any, Any]) -> bool:
    if not _equal(one[0], other[0]):
        return False
    if not isinstance(one[1], list):
        return bool(one[1] == other[1])
    return len(one[1]) == len(other[1]) and all(map(_equal, one[1], other[1]))


def _equal(one: Any, other: Any) -> bool:
    return one is other or (isinstance(one, _CONSTANTS) and type(one) is type(other) and bool(one == other))
