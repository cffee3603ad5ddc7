"""IVersionedInterface and what it tells of itself: a kind, a version and a language."""

from __future__ import annotations

from reference_runtime.conversions import c_string, int32
from reference_runtime.enums import APILanguage
from reference_runtime.native import attribute, initialise, pybind11_object, state
from reference_runtime.signatures import accessor


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
    """Make an interface's description of itself; Python has no constructor for it."""
    info: InterfaceInfo = InterfaceInfo.__new__(InterfaceInfo)
    initialise(info, InterfaceInfo)
    state(info).update(kind=kind, major=major, minor=minor)
    return info


class IVersionedInterface(pybind11_object, bound=True):
    """The root of interfaces that have a version."""

    api_language = attribute(lambda self: state(self)["_language"])
    interface_info = attribute(lambda self: interface_info(*state(self)["_interface"]))


def describe_python_interface(instance: IVersionedInterface, kind: str, major: int, minor: int) -> None:
    """Note what an interface implemented in Python answers."""
    state(instance).update(_language=APILanguage.PYTHON, _interface=(kind, major, minor))
