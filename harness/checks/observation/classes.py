"""Distinguish the attributes that a user's classes define from those of TensorRT's base classes."""

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
    """Return the names that the user's classes define, each with its class; these come before TensorRT's in the MRO."""
    definitions: dict[str, str] = {}
    for cls in itertools.takewhile(lambda each: not instruments.is_bound(each), of.__mro__):
        definitions.update({name: cls.__name__ for name in names if name in vars(cls) and name not in definitions})
    return definitions


def of_tensorrt(of: type, names: Iterable[str]) -> list[str]:
    """Return the names that a class inherits from TensorRT's classes."""
    return [name for name in names if any(hasattr(base, name) for base in instruments.bound_bases(of))]


def overrides(thing: Any, method: str) -> bool:
    """Return whether an object has a method, and it is the user's, not TensorRT's."""
    attribute = getattr(thing, method, None)
    return attribute is not None and not is_bound_function(attribute)


def written_classes(module: str) -> list[type]:
    """Return the classes that are defined in a module and, for a package, in its loaded submodules."""
    homes = [home for name, home in sorted(sys.modules.items()) if f"{name}.".startswith(f"{module}.") and home]
    classes = [
        value
        for home in homes
        for value in list(vars(home).values())
        if is_class(value) and value.__module__ == home.__name__
    ]
    return list(dict.fromkeys(classes))


def bound_interfaces(cls: type) -> list[str]:
    """Return the names of TensorRT's classes that a class derives from directly, or only through the user's classes."""
    return [base.__name__ for base in instruments.bound_bases(cls)]


def bound_parts(cls: type) -> list[type]:
    """Return TensorRT's classes for which an object of a class has a C++ object; one may derive from another."""
    return instruments.bound_parts(cls)
