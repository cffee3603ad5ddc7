"""ISerializationConfig: the parts that a serialized engine leaves out."""

from __future__ import annotations

from reference_runtime.bound.bound_class import made, pybind11_object, state
from reference_runtime.bound.conversions import instance, integer
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.values.enums_building import SerializationFlag

_KNOWN = sum(1 << int(flag) for flag in SerializationFlag.__members__.values())
_FLAG = Overload("(self: ISerializationConfig, flag: SerializationFlag) -> bool", instance(SerializationFlag))


def new_serialization_config(engine: object) -> ISerializationConfig:
    """Return a configuration with no flag set; it keeps ``engine`` alive."""
    return made(ISerializationConfig, _flags=0, _engine=engine)


def chosen_flags(config: ISerializationConfig) -> set[SerializationFlag]:
    """Return the flags that are set."""
    return {flag for flag in SerializationFlag.__members__.values() if state(config)["_flags"] >> int(flag) & 1}


def _set(config: ISerializationConfig, flags: int) -> None:
    if flags & ~_KNOWN:
        raise RuntimeError("Provided serialization flags is incorrect")
    state(config)["_flags"] = flags


class ISerializationConfig(pybind11_object, bound=True):
    """The configuration with which an engine is serialized."""

    flags = accessor(
        "(arg0: ISerializationConfig, arg1: typing.SupportsInt) -> None",
        lambda self: state(self)["_flags"],
        _set,
        integer(32, signed=False),
    )

    @bound(_FLAG)
    def set_flag(self, flag: SerializationFlag) -> bool:
        """Set a flag; False for a flag that does not exist."""
        known = bool(1 << int(flag) & _KNOWN)
        if known:
            state(self)["_flags"] |= 1 << int(flag)
        return known

    @bound(_FLAG)
    def clear_flag(self, flag: SerializationFlag) -> bool:
        """Clear a flag; False for a flag that does not exist."""
        known = bool(1 << int(flag) & _KNOWN)
        if known:
            state(self)["_flags"] &= ~(1 << int(flag))
        return known

    @bound(_FLAG)
    def get_flag(self, flag: SerializationFlag) -> bool:
        """Say whether a flag is set."""
        return flag in chosen_flags(self)
