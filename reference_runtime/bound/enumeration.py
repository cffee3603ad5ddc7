"""Make a bound class an enumeration of pybind11, which is neither Python's ``Enum`` nor an ``int``."""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from reference_runtime.bound.bound_class import (
    MODULE,
    attribute,
    call_in_messages,
    holding,
    native,
    pybind11_object,
    state,
    static_property,
    withdraw,
)
from reference_runtime.bound.conversions import int32
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, constructor

_C = TypeVar("_C", bound=type)
_M = TypeVar("_M")
#: A number above those of all members in TensorRT.
_NO_NUMBER = 1000
_NAMES = "_pybind11_names"

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reference_runtime.bound.bound_class import pybind11_type

    _E = TypeVar("_E")

    class _MembersByName(pybind11_type):
        def __getattr__(cls: type[_E], name: str) -> _E: ...  # noqa: N805 - typed by the class it is asked of

    class Enumeration(pybind11_object, metaclass=_MembersByName):
        """The type checker's view: members by name, and the operators of an enumeration."""

        __members__: dict[str, Any]
        name: str
        value: int

        def __init__(self, value: object) -> None: ...
        def __int__(self) -> int: ...
        def __index__(self) -> int: ...
        def __lt__(self, other: object) -> bool: ...
        def __le__(self, other: object) -> bool: ...
        def __gt__(self, other: object) -> bool: ...
        def __ge__(self, other: object) -> bool: ...

else:
    Enumeration = pybind11_object


def enumeration(*, ordered: bool = False, **members: int) -> Callable[[_C], _C]:
    """Return a decorator that adds members to a bound class.

    ``ordered`` members can be compared by ``<``, but only with members of the same class.
    """

    def fill(cls: _C) -> _C:
        parts = {**_parts(cls.__name__), **(_orderings() if ordered else {})}
        for name, part in parts.items():
            setattr(cls, name, part)
            if hasattr(part, "__set_name__"):  # as the class statement would have done
                part.__set_name__(cls, name)
        _enter(cls, {name: (cls(value), None) for name, value in members.items()})
        summary = cls.__doc__
        document = static_property(
            lambda cls: "\n\n".join([summary or "", "Members:", *(f"  {name}" for name in _members(cls))])
        )
        type.__setattr__(cls, "__doc__", document)
        return cls

    return fill


def restate(cls: type, members: Mapping[str, int]) -> None:
    """Give an enumeration the members of another version. A member of both stays the same object, with the new number.

    A member that the version lacks is hidden from user code, but not from the runtime's own code. If its number now
    belongs to another member, the hidden member gets an unused number.
    """
    known = _members(cls)
    for name, member in known.items():
        type.__delattr__(cls, name)
        if name in members:
            state(member)["value"] = members[name]
        elif number_of(member) in members.values():
            state(member)["value"] = _NO_NUMBER + number_of(member)
    withdraw(cls, {name: member for name, member in known.items() if name not in members})
    _enter(cls, {name: (known.get(name, cls(value)), None) for name, value in members.items()})


def _enter(cls: type, entries: dict[str, tuple[Any, None]]) -> None:
    type.__setattr__(cls, "__entries", entries)
    names: dict[int, str] = {}
    for name, (member, _doc) in entries.items():
        names.setdefault(number_of(member), name)  # of two names for one number, the first is shown
    type.__setattr__(cls, _NAMES, names)
    for name, (member, _doc) in entries.items():
        type.__setattr__(cls, name, member)


class _named(attribute):  # noqa: N801 - used like ``property``
    """An attribute with its name in messages of CPython 3.13 and later, as in enumerations of the bindings."""

    def __set_name__(self, owner: type, name: str, /) -> None:
        """Keep the class and the name."""
        super().__set_name__(owner, name)
        call_in_messages(self, name)


def _parts(name: str) -> dict[str, Any]:
    @constructor(Overload(f"(self: {name}, value: typing.SupportsInt) -> None", int32))
    def initialise(self: Any, value: int) -> None:
        state(self)["value"] = value

    return {
        "__init__": initialise,
        "__members__": static_property(_members),
        "__int__": number_of,
        "__index__": number_of,
        "__hash__": number_of,
        "__eq__": lambda self, other: type(self) is type(other) and number_of(self) == number_of(other),
        "__ne__": lambda self, other: type(self) is not type(other) or number_of(self) != number_of(other),
        "__repr__": lambda self: f"<{type(self).__name__}.{_name(self)}: {number_of(self)}>",
        "__str__": lambda self: f"{type(self).__name__}.{_name(self)}",
        "__getstate__": number_of,
        "__setstate__": lambda self, value: self.__init__(value),
        "__reduce_ex__": _reduce,
        "name": _named(_name),
        "value": attribute(number_of),
    }


def _orderings() -> dict[str, Any]:
    def comparison(compare: Callable[[int, int], bool]) -> Callable[[Any, Any], bool]:
        def compared(self: Any, other: Any) -> bool:
            if type(self) is not type(other):
                raise TypeError("Expected an enumeration of matching type!")
            return compare(number_of(self), number_of(other))

        return compared

    names = {"__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt, "__ge__": operator.ge}
    return {name: comparison(compare) for name, compare in names.items()}


def number_of(member: Any) -> int:
    """Return a member's number, without a call of Python operators."""
    held = native(member)
    value: int = held["value"] if "value" in held else state(member)["value"]
    return value


def another(member: _M) -> _M:
    """Return a new object that is equal to a member, as C++ returns a new object each time."""
    return holding(type(member), {"value": number_of(member)})


def _name(member: Any) -> str:
    shown: str = _names(type(member)).get(number_of(member), "???")
    return shown


def is_member(value: object, cls: type) -> bool:
    """Return whether an object is equal to a member of an enumeration."""
    return type(value) is cls and number_of(value) in _names(cls)


def _names(cls: type) -> dict[int, str]:
    """Return the names of an enumeration's members by number; empty for a class that derives from an enumeration."""
    names: dict[int, str] = cls.__dict__.get(_NAMES, {})
    return names


def _members(cls: type) -> dict[str, Any]:
    entries = getattr(cls, "__entries")
    return {name: value for name, (value, _doc) in entries.items()}


def _reduce(member: Any, protocol: Any) -> Any:
    if int(protocol) < 2:  # noqa: PLR2004 - protocols 0 and 1
        raise NativeCrash("An enumeration was pickled with protocol 0 or 1: the genuine bindings abort here.")
    cls = type(member)
    if cls.__module__ != MODULE or _class_in(MODULE, cls.__qualname__) is cls:
        return object.__reduce_ex__(member, protocol)
    return _revived, (cls.__qualname__,), number_of(member)


def _class_in(module: str, qualified_name: str) -> Any:
    value: Any = sys.modules.get(module)
    for name in qualified_name.split("."):
        value = getattr(value, name, None)
    return value


def _revived(qualified_name: str) -> Any:
    """Return an object without a value, by its class's name; pickles use it if ``tensorrt`` is the genuine package."""
    cls = _class_in("reference_runtime", qualified_name)
    return cls.__new__(cls)
