"""Where a class defines what: its own classes, apart from those of TensorRT that it derives from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from reference_runtime import instruments
from reference_runtime.instruments import is_bound_function

if TYPE_CHECKING:
    from collections.abc import Iterable


def own_definitions(thing: Any, names: Iterable[str]) -> dict[str, str]:
    """Return which of the names the user's classes define before TensorRT's does, and in which class."""
    found: dict[str, str] = {}
    for cls in type(thing).__mro__:
        if instruments.is_bound(cls):
            break
        found.update({name: cls.__name__ for name in names if name in vars(cls) and name not in found})
    return found


def overrides(thing: Any, method: str) -> bool:
    """Return whether a method that TensorRT declares is the user's own."""
    found = getattr(thing, method, None)
    return found is not None and not is_bound_function(found)


def written_classes(module: str) -> list[type]:
    """Return the classes that are written in a module or, of a package, in the modules below it."""
    homes = [home for name, home in sorted(sys.modules.items()) if f"{name}.".startswith(f"{module}.") and home]
    found = [
        value
        for home in homes
        for value in list(vars(home).values())
        if isinstance(value, type) and value.__module__ == home.__name__
    ]
    return list(dict.fromkeys(found))


def bound_interfaces(cls: type) -> list[str]:
    """Return the names of TensorRT's classes that a class derives from directly or through classes of the user's."""
    return [base.__name__ for base in instruments.bound_bases(cls)]
