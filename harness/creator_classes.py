"""The creator classes that a module, or a package, defines, and their instances."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from harness.interface import Interface
from reference_runtime.creators import IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick
from reference_runtime.plugin.definitions import DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from reference_runtime.plugin.definitions import PluginDef

CREATORS = {
    IPluginCreator: Interface.V2_DYNAMIC,
    IPluginCreatorV3One: Interface.V3,
    IPluginCreatorV3Quick: Interface.DECORATED,
}
"""The interface of what a creator makes, by the class it derives from."""


def homes(module: ModuleType) -> list[ModuleType]:
    """The module and, of a package, the modules below it that were imported; files of cases are none of them."""
    prefix = f"{module.__name__}."
    names = [name for name in sorted(sys.modules) if name.startswith(prefix) and not name.endswith("_cases")]
    return [module, *(sys.modules[name] for name in names)]


def creator_classes(module: ModuleType) -> Iterator[type]:
    """Yield the creator classes that are written in the module, or below it."""
    seen: set[type] = set()
    for home in homes(module):
        for value in vars(home).values():
            if inspect.isclass(value) and issubclass(value, tuple(CREATORS)) and value.__module__ == home.__name__:
                if value not in seen and "create_plugin" in dir(value):
                    yield value
                seen.add(value)


def definition_of(creator: Any) -> PluginDef | None:
    """Return the decorated functions that a creator stands for; None for one that a user wrote."""
    found = DEFINITIONS.get(f"{creator.plugin_namespace}::{creator.name}")
    return found if found is not None and found.creator is creator else None


def written_as(creator: Any) -> Any:
    """Return what the user wrote: the creator's class, or the function that registers a decorated plugin."""
    definition = definition_of(creator)
    return type(creator) if definition is None else definition.register_func


def unregistered_definitions(module: ModuleType) -> Iterator[PluginDef]:
    """Yield the decorated plugins of a module, or below it, that wait for their first use to be registered."""
    for definition in DEFINITIONS.values():
        if definition.creator is None and is_written_in(module, definition.register_func):
            yield definition


def is_written_in(module: ModuleType, written: Any) -> bool:
    """Whether a class or function is written in the module or, if it is a package, below it."""
    return f"{written.__module__}.".startswith(f"{module.__name__}.")


def instance_of(cls: type) -> Any:
    """Return ``cls()``; None where a creator cannot be made without arguments: then it was not meant to be."""
    try:
        inspect.signature(cls.__init__).bind(None)  # type: ignore[misc]
    except TypeError:
        return None
    except ValueError:
        pass  # no signature to be had: then calling it tells
    return cls()
