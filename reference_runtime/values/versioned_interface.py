"""IVersionedInterface and its properties: a kind, a version and a language.

Theory. The properties of an interface are fixed for its class. An object may implement several interfaces at once, as a
plugin of version 3 does. The bindings then return the properties of the interface that they registered first. The order
of the user's base classes has no effect. The table below is in the order of registration, which was measured for all
pairs of its classes.
"""

from __future__ import annotations

from typing import Final

from reference_runtime.bound.bound_class import attribute, bound_bases, initialise, pybind11_object, state, state_of
from reference_runtime.bound.conversions import c_string, int32
from reference_runtime.bound.overloads import accessor
from reference_runtime.values.enums import APILanguage

Description = tuple[str, int, int, APILanguage]

_PYTHON, _CPP = APILanguage.PYTHON, APILanguage.CPP
_DESCRIPTIONS: Final[dict[str, Description]] = {
    "IPluginV3OneCore": ("PLUGIN_V3ONE_CORE", 1, 0, _PYTHON),
    "IPluginV3OneBuildV2": ("PLUGIN_V3ONE_BUILD", 2, 0, _PYTHON),
    "IPluginV3OneBuild": ("PLUGIN_V3ONE_BUILD", 1, 0, _PYTHON),
    "IPluginV3QuickCore": ("PLUGIN_V3QUICK_CORE", 1, 0, _PYTHON),
    "IPluginV3QuickAOTBuild": ("PLUGIN_V3QUICKAOT_BUILD", 1, 0, _PYTHON),
    "IPluginV3QuickBuild": ("PLUGIN_V3QUICK_BUILD", 1, 0, _PYTHON),
    "IPluginV3OneRuntime": ("PLUGIN_V3ONE_RUNTIME", 1, 0, _PYTHON),
    "IPluginV3QuickRuntime": ("PLUGIN_V3QUICK_RUNTIME", 1, 0, _PYTHON),
    "IPluginV3": ("PLUGIN", 1, 0, _PYTHON),
    "IPluginCreator": ("PLUGIN CREATOR_V1", 1, 0, _PYTHON),
    "IPluginCreatorV3One": ("PLUGIN CREATOR_V3ONE", 1, 0, _PYTHON),
    "IPluginCreatorV3Quick": ("PLUGIN CREATOR_V3QUICK", 1, 0, _PYTHON),
    "IPluginResource": ("IPluginResource", 1, 0, _PYTHON),
    "IGpuAllocator": ("IGpuAllocator", 1, 0, _CPP),
}


class InterfaceInfo(pybind11_object, bound=True):
    """The kind of an interface and its version."""

    kind = accessor(
        "(self: InterfaceInfo, arg0: str) -> None",
        lambda self: state(self)["kind"],
        lambda self, value: state(self).update(kind=value),
        c_string,
    )
    major = accessor(
        "(self: InterfaceInfo, arg0: typing.SupportsInt) -> None",
        lambda self: state(self)["major"],
        lambda self, value: state(self).update(major=value),
        int32,
    )
    minor = accessor(
        "(self: InterfaceInfo, arg0: typing.SupportsInt) -> None",
        lambda self: state(self)["minor"],
        lambda self, value: state(self).update(minor=value),
        int32,
    )


def interface_info(kind: str, major: int, minor: int) -> InterfaceInfo:
    """Return an `InterfaceInfo`, for which Python has no constructor."""
    info: InterfaceInfo = InterfaceInfo.__new__(InterfaceInfo)
    initialise(info, InterfaceInfo)
    state(info).update(kind=kind, major=major, minor=minor)
    return info


class IVersionedInterface(pybind11_object, bound=True):
    """The root of interfaces that have a version."""

    api_language = attribute(lambda self: APILanguage(int(_describe(self)[3])))  # C++ makes a new object of each answer
    interface_info = attribute(lambda self: interface_info(*_describe(self)[:3]))


def _describe(instance: IVersionedInterface) -> Description:
    """Return the properties of the object's interface that the bindings registered first."""
    bases = {base.__name__: leaf for leaf in bound_bases(type(instance)) for base in leaf.__mro__}
    first = next(name for name in _DESCRIPTIONS if name in bases)
    state_of(instance, bases[first])
    return _DESCRIPTIONS[first]
