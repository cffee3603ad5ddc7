"""The base of every bound class: one hidden slot for the state in C++, and the metaclass that guards it.

Theory. A bound object of the genuine bindings is a Python object with a C++ object inside. Its ``__dict__`` does not
contain the state in C++. A class attribute or a Python property can hide a C++ attribute from Python code, but not from
TensorRT. Here the state in C++ is one dictionary, in a slot of the common root class. ``state`` returns it, and
``native`` returns it without checks. The slot has no name on the class, so ``dir``, ``copy`` and ``pickle`` work as
with the genuine bindings. All other bound classes have empty slots and can be combined freely.

A bound ``__init__`` creates the C++ object. If a user's ``__init__`` does not call it, the metaclass raises pybind11's
error. If the object is used before the call, the genuine bindings crash, and ``state`` raises `NativeCrash`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.frames import is_ours, users_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MODULE = "tensorrt.tensorrt"
_COMPILER_MARKS = ("__slots__", "__weakref__", "__static_attributes__", "__firstlineno__", "__annotations__")
_RAW_NAME = type.__dict__["__name__"]
_WITHDRAWN = "_pybind11_withdrawn"
_T = TypeVar("_T")


def spelling(cls: type) -> str:
    """Return a class's name as CPython writes it in messages. A bound class has the module in its name."""
    return str(_RAW_NAME.__get__(cls))


def _module_of_caller(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return ``__module__`` for a class that a call of the metaclass creates: the module of the calling code."""
    if "__module__" in namespace:
        return {}
    frame = users_frame()
    return {} if frame is None else {"__module__": frame.f_globals.get("__name__", "builtins")}


def call_in_messages(made: property, name: str = "") -> property:
    """Set the name of a property in messages, and return the property; CPython 3.13 would use the getter's name."""
    if sys.version_info >= (3, 13) and made.fget is not None:
        made.__name__ = name
    return made


class static_property(property):  # noqa: N801 - pybind11's own kind of spelling
    """A read-only property of a class, as pybind11 makes them: ``Dims.MAX_DIMS``."""

    def __get__(self, instance: object, owner: type | None = None, /) -> Any:
        """Return the value, for the class and for an instance."""
        return super().__get__(owner if owner is not None else type(instance))

    def __set__(self, instance: object, value: object, /) -> None:
        """Raise an AttributeError that names the metaclass, as pybind11 does."""
        super().__set__(instance if isinstance(instance, type) else type(instance), value)

    def __delete__(self, instance: object, /) -> None:
        """Raise an AttributeError that names the metaclass, as pybind11 does."""
        super().__delete__(type(instance))

    def __set_name__(self, owner: type, name: str, /) -> None:
        """Keep no name, because pybind11's messages do not name the property."""
        call_in_messages(self)


class attribute(property):  # noqa: N801 - used like ``property``
    """A property whose value is in C++; ``unset`` is the value before the first assignment.

    ``owner`` is the class that declares it. ``key`` is the key of its value in the state, by default its name.
    """

    unset: Any = None
    key: str = ""
    owner: type = object

    def __set_name__(self, owner: type, name: str, /) -> None:
        """Keep the class, but no name, because pybind11's messages do not name the property."""
        self.owner = owner
        call_in_messages(self)


def is_bound(cls: type) -> bool:
    """Return whether a class belongs to TensorRT, and not to the user."""
    return bool(cls.__dict__.get("_pybind11_bound", False))


def bound_parts(cls: type) -> list[type]:
    """Return the bound classes from which ``cls`` derives directly, or through Python classes only.

    An instance has a C++ object for each, even if one of these classes derives from another.
    """
    if is_bound(cls):
        return [cls]
    return list(dict.fromkeys(part for base in cls.__bases__ for part in bound_parts(base)))


def _most_derived(parts: Sequence[type]) -> tuple[type, ...]:
    return tuple(leaf for leaf in parts if not any(other is not leaf and issubclass(other, leaf) for other in parts))


class pybind11_type(type):  # noqa: N801 - the measured name of the metaclass
    """The metaclass of all bound classes and of the classes that users derive from them."""

    def __new__(
        mcs: type[_T],
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        bound: bool = False,
        spelled: str = "",
        **named: Any,
    ) -> _T:
        """Create a class; ``bound`` marks a class of TensorRT, and ``spelled`` replaces its name.

        CPython's C code and this code use a class's name in messages. A bound class is created with its full name, so
        that messages are those of the genuine bindings. ``__name__`` returns the last part.
        """
        if not bound:
            return type.__new__(mcs, name, bases, {**_module_of_caller(namespace), **namespace}, **named)
        full = {"__slots__": (), **namespace, "__module__": MODULE}
        if spelled:
            full["__qualname__"] = spelled
        return type.__new__(mcs, f"{MODULE}.{spelled or name}", bases, full)

    def __init__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, bound: bool = False, **_named: Any
    ) -> None:
        """Remove the attributes that CPython's compiler adds to a bound class: the genuine classes have none."""
        super().__init__(name, bases, namespace)
        if bound:
            for mark in _COMPILER_MARKS:
                if mark in cls.__dict__:
                    type.__delattr__(cls, mark)
            for member in namespace.values():
                if hasattr(member, "owners") and member.pybind11_bound is member:
                    member.owners += (cls,)  # a bound method knows its class
        cls._pybind11_bound = bound
        cls._pybind11_bases: tuple[type, ...] = _most_derived(bound_parts(cls))
        cls._pybind11_not_overridden: set[str] = set()

    __name__ = property(
        lambda cls: spelling(cls).rpartition(".")[2],
        _RAW_NAME.__set__,
        doc="The last part of the name, as with the genuine bindings.",
    )

    def __getattr__(cls, name: str) -> Any:
        """Return a member that the process's API level hides from user code, but not from the runtime's own code."""
        for base in cls.__mro__:
            if name in base.__dict__.get(_WITHDRAWN, ()) and is_ours(sys._getframe(1)):  # noqa: SLF001 - see `frames`
                return base.__dict__[_WITHDRAWN][name]
        raise AttributeError(f"type object {spelling(cls)!r} has no attribute {name!r}", name=name, obj=cls)

    def __setattr__(cls, name: str, value: object) -> None:
        """Keep static properties: an assignment calls their ``__set__``, as in pybind11."""
        current = next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None)
        if isinstance(current, static_property) and not isinstance(value, static_property):
            current.__set__(cls, value)
        else:
            super().__setattr__(name, value)

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        """Create an instance, and check that each bound base was initialised.

        Raises:
            TypeError: The user's ``__init__`` did not call the ``__init__`` of a bound base.
        """
        instance = type.__call__(cls, *arguments, **named)
        if isinstance(instance, pybind11_object):
            for base in bound_bases(type(instance)):
                if not is_initialised(instance, base):
                    raise TypeError(f"{spelling(base)}.__init__() must be called when overriding __init__")
        return instance


class pybind11_object(metaclass=pybind11_type):  # noqa: N801 - the measured name of the root
    """The root of all bound classes."""

    __slots__ = ("__weakref__", "_native")

    def __new__(cls, *_arguments: Any, **_named: Any) -> Any:
        """Create the Python object; the ``__init__`` of a bound class creates the C++ object."""
        instance = object.__new__(cls)
        _set_native(instance, {})
        return instance

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise TypeError(f"{spelling(type(self))}: No constructor defined!")

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        """Raise a TypeError for a copy or a pickle, unless the user's class defines how these are made."""
        hooks = ("__reduce__", "__getstate__", "__getnewargs__", "__getnewargs_ex__")
        if any(getattr(type(self), hook, None) is not getattr(object, hook, None) for hook in hooks):
            return super().__reduce_ex__(protocol)
        raise TypeError(f"cannot pickle {spelling(type(self))!r} object")


#: Read and write the hidden slot, even if the user's class overrides attribute access.
native: Callable[[object], dict[str, Any]] = pybind11_object.__dict__["_native"].__get__
_set_native: Callable[[object, dict[str, Any]], None] = pybind11_object.__dict__["_native"].__set__
for _mark in ("_native", *_COMPILER_MARKS):
    if _mark in pybind11_object.__dict__:
        type.__delattr__(pybind11_object, _mark)
type.__setattr__(pybind11_object, "__module__", "pybind11_builtins")
type.__setattr__(pybind11_type, "__module__", "pybind11_builtins")


def withdraw(cls: type, members: dict[str, Any]) -> None:
    """Keep members that were deleted from a class for the runtime's own code; user code does not see them."""
    type.__setattr__(cls, _WITHDRAWN, members)


def bound_bases(cls: type) -> tuple[type, ...]:
    """Return the most derived bound classes for which an instance of ``cls`` has a C++ object; empty for other classes.

    As in pybind11, the result does not change when ``__bases__`` of the class changes.
    """
    bases: tuple[type, ...] = cls.__dict__.get("_pybind11_bases", ())
    return bases


def initialise(instance: object, owner: type) -> bool:
    """Create the C++ object of class ``owner``; return False if it exists, as a second ``__init__`` is ignored."""
    if is_initialised(instance, owner):
        return False
    held = native(instance)
    held["_ready"] = (*held.get("_ready", ()), owner)
    return True


def made(cls: type[_T], **held: Any) -> _T:
    """Return an object of a bound class that C++ creates: no constructor runs, and ``held`` is its state."""
    return holding(cls, held)


def holding(cls: type[_T], held: dict[str, Any]) -> _T:
    """Return an object as `made` does, with a dictionary as its state; faster, for code that runs at every callback."""
    instance: _T = object.__new__(cls)
    held["_ready"] = (cls,)
    _set_native(instance, held)
    return instance


def exchange(instance: object, held: dict[str, Any]) -> None:
    """Replace the dictionary that is an object's state in C++."""
    _set_native(instance, held)


def is_initialised(instance: object, owner: type) -> bool:
    """Return whether a bound ``__init__`` has run for ``owner``, or for a class derived from it."""
    for cls in native(instance).get("_ready", ()):  # noqa: SIM110 - a generator takes four times as long
        if cls is owner or issubclass(cls, owner):
            return True
    return False


def has_native(instance: object) -> bool:
    """Return whether an object has a C++ object: a bound ``__init__`` has run, and `bury` has not."""
    return "_ready" in native(instance)


def state(instance: object) -> dict[str, Any]:
    """Return an object's state in C++: the hidden slot's dictionary.

    Raises:
        NativeCrash: The object has no C++ object.
    """
    held = native(instance)
    if "_ready" not in held:
        raise _unusable(instance, held)
    return held


def _unusable(instance: object, held: dict[str, Any]) -> NativeCrash:
    """Return the error for the use of an object that has no C++ object, or no longer has one."""
    if "_buried" in held:
        return NativeCrash(held["_buried"])
    name = spelling(bound_bases(type(instance))[0])
    return NativeCrash(
        f"A {type(instance).__name__} was used before {name}.__init__() ran: the genuine bindings crash here. "
        f"Call super().__init__() before anything else in __init__."
    )


def state_of(instance: object, owner: type) -> dict[str, Any]:
    """Return the state in C++ of an object with several bound bases.

    Raises:
        NativeCrash: The object has no C++ object, or its base ``owner`` was not initialised.
    """
    held = state(instance)
    if not is_initialised(instance, owner):
        raise NativeCrash(
            f"The {owner.__name__} of a {type(instance).__name__} was used before {spelling(owner)}.__init__() ran: "
            f"the genuine bindings crash here. Call the __init__ of each bound base before anything else in __init__."
        )
    return held


def bury(instance: object, why: str) -> None:
    """Remove the C++ object, as its owner in C++ does; later uses raise `NativeCrash` with the message ``why``."""
    held = native(instance)
    held.clear()
    held["_buried"] = why


def read(instance: object, owner: type, name: str) -> Any:
    """Return the value of a native attribute in C++; Python attributes of the same name are ignored.

    An attribute that was never assigned through the inherited property reads as ``None`` (a string) or ``-1``
    (``num_outputs``). This holds even if the class has an attribute or a Python property of that name.
    """
    declared = _declared(owner, name)
    return state_of(instance, declared.owner).get(declared.key or name, declared.unset)


def write(instance: object, owner: type, name: str, value: Any) -> None:
    """Set a native attribute as C++ does: no Python code runs."""
    declared = _declared(owner, name)
    state_of(instance, declared.owner)[declared.key or name] = value


def is_assigned(instance: object, owner: type, name: str) -> bool:
    """Return whether a native attribute was assigned through the inherited property."""
    declared = _declared(owner, name)
    return (declared.key or name) in state_of(instance, declared.owner)


def _declared(owner: type, name: str) -> attribute:
    for base in owner.__mro__:
        declared: attribute | None = base.__dict__.get(name)
        if declared is not None:
            return declared
    raise AttributeError(f"{owner.__name__} has no native attribute {name}")
