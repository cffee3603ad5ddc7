"""Find where a class defines its attributes: in its own classes, apart from TensorRT's base classes."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING, Any

from harness.subject.creators import is_class
from reference_runtime import instruments
from reference_runtime.instruments import is_bound_function

if TYPE_CHECKING:
    from collections.abc import Iterable


def own_definitions(of: type, names: Iterable[str]) -> dict[str, str]:
    """Return which of the names the user's classes define before TensorRT's does, and in which class."""
    found: dict[str, str] = {}
    for cls in itertools.takewhile(lambda each: not instruments.is_bound(each), of.__mro__):
        found.update({name: cls.__name__ for name in names if name in vars(cls) and name not in found})
    return found


def of_tensorrt(of: type, names: Iterable[str]) -> list[str]:
    """Return which of the names the classes of TensorRT's have that a class derives from."""
    return [name for name in names if any(hasattr(base, name) for base in instruments.bound_bases(of))]


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
        if is_class(value) and value.__module__ == home.__name__
    ]
    return list(dict.fromkeys(found))


def bound_interfaces(cls: type) -> list[str]:
    """Return the names of TensorRT's classes that a class derives from directly or through classes of the user's."""
    return [base.__name__ for base in instruments.bound_bases(cls)]


def bound_parts(cls: type) -> list[type]:
    """Return TensorRT's classes whose C++ objects an object contains; one of them may derive from another."""
    return instruments.bound_parts(cls)
