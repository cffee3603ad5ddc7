"""Find the creator classes and decorated plugins that a module or a package defines, and their interfaces."""

from __future__ import annotations

import inspect
import pkgutil
import sys
import types
from typing import TYPE_CHECKING, Any

from harness.contract.interface import Interface
from reference_runtime.instruments import is_bound
from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick
from reference_runtime.interfaces.v2 import IPluginV2
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.interfaces.v2_ext import IPluginV2Ext, IPluginV2IOExt
from reference_runtime.plugin.definitions import DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from reference_runtime.plugin.definitions import PluginDef

CREATORS = (IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick)
"""The classes that creators derive from."""
_PLUGINS = {
    IPluginV2DynamicExt: Interface.V2_DYNAMIC,
    IPluginV2IOExt: Interface.V2_IO_EXT,
    IPluginV2Ext: Interface.V2_EXT,
    IPluginV2: Interface.V2,
}
"""The interfaces of version 2 by the class that plugins derive from, the most derived first."""


def interface_of(creator: Any) -> Interface:
    """Return the interface of the plugins that a creator makes.

    All interfaces of version 2 have the same class of creators. If the creator has the attribute ``plugin_class``, the
    interface is that of this class. If not, the plugin classes in the modules of the creator's class and base classes
    decide. If these have several interfaces, the classes decide that ``create_plugin`` names.
    """
    if isinstance(creator, IPluginCreatorV3One):
        return Interface.V3
    if isinstance(creator, IPluginCreatorV3Quick):
        return Interface.DECORATED
    own = getattr(creator, "plugin_class", None)
    if inspect.isclass(own) and issubclass(own, IPluginV2):
        return _interface_of_class(own)
    scopes = [vars(sys.modules[cls.__module__]) for cls in type(creator).__mro__ if cls.__module__ in sys.modules]
    classes = {
        name: value
        for scope in scopes
        for name, value in scope.items()
        if is_class(value) and issubclass(value, IPluginV2) and not is_bound(value)
    }
    interfaces = {_interface_of_class(value) for value in classes.values()}
    if len(interfaces) > 1:
        code = getattr(getattr(type(creator), "create_plugin", None), "__code__", None)
        named = {_interface_of_class(classes[name]) for name in getattr(code, "co_names", ()) if name in classes}
        interfaces = named or interfaces
    return next((interface for interface in _PLUGINS.values() if interface in interfaces), Interface.V2_DYNAMIC)


def _interface_of_class(cls: type) -> Interface:
    return next(interface for base, interface in _PLUGINS.items() if issubclass(cls, base))


def homes(module: ModuleType) -> list[ModuleType]:
    """Return the module and, for a package, its imported submodules, except those with cases (``*_cases``)."""
    if "__path__" not in vars(module):
        return [module]
    prefix = f"{module.__name__}."
    names = sorted(name for name in sys.modules if name.startswith(prefix) and not name.endswith("_cases"))
    return [module, *(sys.modules[name] for name in names if _is_module(sys.modules[name]))]


def not_imported(module: ModuleType) -> list[str]:
    """Return the names of a package's direct submodules that were not imported; empty for a single file."""
    folders = vars(module).get("__path__", ())
    names = (each.name for each in pkgutil.iter_modules(folders, f"{module.__name__}."))
    return [name for name in names if name not in sys.modules]


def creator_classes(module: ModuleType) -> Iterator[type]:
    """Yield the creator classes that are written in a module or package, and are values of its modules."""
    held = dict.fromkeys(cls for home in homes(module) for cls in _creators_in(home))
    yield from (cls for cls in held if is_written_in(module, cls))


def imported_creator_classes(module: ModuleType) -> Iterator[type]:
    """Yield the creator classes that are values of a module, and are written elsewhere."""
    yield from dict.fromkeys(cls for cls in _creators_in(module) if not is_written_in(module, cls))


def _creators_in(module: ModuleType) -> Iterator[type]:
    """Yield the creator classes that are values of a module, or are in its lists and tables."""
    for value in list(vars(module).values()):
        several = list(value) if type(value) in {list, tuple} else list(value.values()) if type(value) is dict else []
        for each in (value, *several):
            if is_class(each) and issubclass(each, CREATORS) and not is_bound(each) and "create_plugin" in dir(each):
                yield each


def is_class(value: object) -> bool:
    """Return whether the object is a class, without user code; ``isinstance`` would run the code of a proxy."""
    return issubclass(type(value), type)


def _is_module(value: object) -> bool:
    return issubclass(type(value), types.ModuleType)


def definition_of(creator: Any) -> PluginDef | None:
    """Return the decorated functions behind a creator; None for a creator that a user wrote."""
    definition = DEFINITIONS.get(f"{creator.plugin_namespace}::{creator.name}")
    return definition if definition is not None and definition.creator is creator else None


def written_as(creator: Any) -> Any:
    """Return what the user wrote: the creator's class, or the function that registers a decorated plugin."""
    definition = definition_of(creator)
    return type(creator) if definition is None else definition.register_func


def unregistered_definitions(module: ModuleType) -> Iterator[PluginDef]:
    """Yield the decorated plugins of a module or package whose creators are registered only at their first use."""
    for definition in DEFINITIONS.values():
        if definition.creator is None and is_written_in(module, definition.register_func):
            yield definition


def is_written_in(module: ModuleType, written: Any) -> bool:
    """Return whether a class or function is written in the module or, if it is a package, below it."""
    return f"{written.__module__}.".startswith(f"{module.__name__}.")


def takes_no_arguments(cls: type) -> bool:
    """Return whether ``cls()`` is a legal call; true for classes without a signature."""
    try:
        inspect.signature(cls.__init__).bind(None)  # type: ignore[misc]
    except TypeError:
        return False
    except ValueError:
        pass
    return True
