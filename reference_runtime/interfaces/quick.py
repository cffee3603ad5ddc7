"""The capabilities of decorated plugins, which TensorRT's own package derives from: core, builds and runtime.

Their methods are not bound at all. C++ looks up the override by name, and Python sees only the methods of the user's
class. The copy constructors copy no state. If a build capability is a copy, C++ calls the overrides of its source:
`dispatched_to` returns it.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.bound_class import state_of
from reference_runtime.bound.conversions import instance
from reference_runtime.bound.overloads import Overload, constructor
from reference_runtime.bound.overrides import owned, owned_text
from reference_runtime.interfaces.capability import IPluginCapability

_SOURCE = "IPluginV3QuickBuild.source"


def _same(name: str) -> Any:
    """Return the converter of a copy constructor, which looks up its class when it is called."""

    def convert(value: Any) -> Any:
        return instance(globals()[name])(value)

    return convert


def _constructors(name: str) -> tuple[Overload, Overload]:
    return (
        Overload(f"(self: {name}) -> None"),
        Overload(f"(self: {name}, arg0: {name}) -> None", _same(name)),
    )


class IPluginV3QuickCore(IPluginCapability, bound=True):
    """The name of a decorated plugin."""

    @constructor(*_constructors("IPluginV3QuickCore"))
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""

    plugin_name = owned("IPluginV3QuickCore", "plugin_name", owned_text)
    plugin_version = owned("IPluginV3QuickCore", "plugin_version", owned_text)
    plugin_namespace = owned("IPluginV3QuickCore", "plugin_namespace", owned_text)


class IPluginV3QuickBuild(IPluginCapability, bound=True):
    """The queries of a decorated plugin while an engine is built."""

    @constructor(*_constructors("IPluginV3QuickBuild"))
    def __init__(self, other: Any = None) -> None:
        state_of(self, IPluginV3QuickBuild)[_SOURCE] = other


class IPluginV3QuickAOTBuild(IPluginV3QuickBuild, bound=True):
    """The queries of a decorated plugin that gives TensorRT a compiled kernel."""

    @constructor(*_constructors("IPluginV3QuickAOTBuild"))
    def __init__(self, other: Any = None) -> None:
        state_of(self, IPluginV3QuickBuild)[_SOURCE] = other


class IPluginV3QuickRuntime(IPluginCapability, bound=True):
    """The execution of a decorated plugin in an engine."""

    @constructor(*_constructors("IPluginV3QuickRuntime"))
    def __init__(self, _other: Any = None) -> None:
        """Construct the base class; the copy constructor copies nothing."""


def dispatched_to(build: IPluginV3QuickBuild) -> IPluginV3QuickBuild:
    """Return the object whose overrides C++ calls: the first source in the chain of copies."""
    source = state_of(build, IPluginV3QuickBuild).get(_SOURCE)
    return build if source is None else dispatched_to(source)
