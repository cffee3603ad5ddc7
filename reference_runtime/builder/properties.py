"""Make the properties of IBuilderConfig, whose values are checked and kept in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.application.error_recorder import ErrorsOf
from reference_runtime.bound.bound_class import attribute, state
from reference_runtime.bound.conversions import instance, int32, integer, optional
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.overloads import accessor
from reference_runtime.builder.settings import all_bits, in_bounds
from reference_runtime.values.refusals import Refused, granted

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.builder.settings import Settings

_INT = "typing.SupportsInt"
_uint32 = integer(32, signed=False)


def settings_of(config: object) -> Settings:
    """Return the settings of the Python object."""
    settings: Settings = state(config)["_settings"]
    return settings


def granted_to(config: object, method: str, work: Callable[[], object]) -> bool:
    """Do ``work`` and return True; if it is refused, report that to the builder's recorder or logger, return False."""
    return granted(f"IBuilderConfig::{method}", work, to=ErrorsOf(state(config)["_builder"]))


def kept(name: str, kind: str, convert: Any, *, setter: str = "", check: Any = None) -> attribute:
    """Make a property that is kept in the settings; a value that ``check`` refuses is an error, and changes nothing."""

    def write(self: object, value: Any) -> None:
        granted_to(self, setter, lambda: setattr(settings_of(self), name, check(value) if check else value))

    return accessor(
        f"(self: IBuilderConfig, arg0: {kind}) -> None", lambda self: getattr(settings_of(self), name), write, convert
    )


def number(name: str, setter: str, least: int, greatest: int | None = None, convert: Any = int32) -> attribute:
    """Make a property that holds a number from ``least`` to ``greatest``."""
    return kept(name, _INT, convert, setter=setter, check=lambda value: in_bounds(name, value, least, greatest))


def bits(name: str, setter: str, enumeration: Any) -> attribute:
    """Make a property that holds a bitmask of an enumeration's members."""
    return kept(name, _INT, _uint32, setter=setter, check=lambda value: known_bits(name, value, enumeration))


def known_bits(name: str, value: int, enumeration: Any) -> int:
    """Return a bitmask, or refuse one with bits that no member has."""
    known = all_bits(enumeration)
    if value & ~known:
        raise Refused(f"{name} has bits that no {enumeration.__name__} has: {value & ~known:#x}")
    return value


def member(name: str, enumeration: type) -> attribute:
    """Make a property that holds a member of an enumeration."""
    return kept(name, enumeration.__name__, instance(enumeration))


def owned_object(name: str, cls: type, advice: str | None = None) -> attribute:
    """Make a property that holds an object of the application, or None; ``advice`` is for a deprecated property."""
    warn = deprecated(advice) if advice else lambda function: function
    return accessor(
        f"(arg0: IBuilderConfig, arg1: {cls.__name__}) -> None",
        warn(lambda self: getattr(settings_of(self), name)),
        warn(lambda self, value: setattr(settings_of(self), name, value)),
        optional(instance(cls)),
    )
