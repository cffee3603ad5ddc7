"""The base of every bound class: one hidden slot for the state of C++, and the metaclass that guards it.

Theory. A bound object is a Python object with a C++ object inside. ``__dict__`` does not contain the state of C++. A
class attribute or a Python property of the same name hides it from Python, never from TensorRT. Here the C++ side is
one dictionary in a slot of the common root. ``state`` reads it, and ``native`` does so without checks. The slot has no
name on the class, so ``dir``, ``copy`` and ``pickle`` see the same as in the original. All other bound classes have
empty slots and can be combined freely.

A bound ``__init__`` creates the C++ object. The metaclass refuses an instance if the user's ``__init__`` did not call
it, with pybind11's message. Before that moment the original crashes, and ``state`` raises.
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
    """Return a class's name as CPython writes it in messages: with the module for a bound class, without for others."""
    return str(_RAW_NAME.__get__(cls))


def _module_of_caller(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the caller's module, for a class that a call of the metaclass creates, as a class statement would."""
    if "__module__" in namespace:
        return {}
    frame = users_frame()
    return {} if frame is None else {"__module__": frame.f_globals.get("__name__", "builtins")}


def call_in_messages(made: property, name: str = "") -> property:
    """Return a property with this name in messages; CPython 3.13 and later would use its getter's name."""
    if sys.version_info >= (3, 13) and made.fget is not None:
        made.__name__ = name
    return made


class static_property(property):  # noqa: N801 - pybind11's own kind of spelling
    """A read-only property of a class, as pybind11 makes them: ``Dims.MAX_DIMS``."""

    def __get__(self, instance: object, owner: type | None = None, /) -> Any:
        """Return the value, for the class and for an instance."""
        return super().__get__(owner if owner is not None else type(instance))

    def __set__(self, instance: object, value: object, /) -> None:
        """Refuse, with a message that names the metaclass, as the original's does."""
        super().__set__(instance if isinstance(instance, type) else type(instance), value)

    def __delete__(self, instance: object, /) -> None:
        """Refuse, with the same message."""
        super().__delete__(type(instance))

    def __set_name__(self, owner: type, name: str, /) -> None:
        """Do not take a name: the original's messages do not name the property."""
        call_in_messages(self)


class attribute(property):  # noqa: N801 - used like ``property``
    """A property that C++ owns; ``unset`` is the value in C++ before the first assignment.

    ``owner`` is the class that declares it. ``key`` is the key of its value, by default the property's name.
    """

    unset: Any = None
    key: str = ""
    owner: type = object

    def __set_name__(self, owner: type, name: str, /) -> None:
        """Learn the class, but take no name: the original's messages do not name the property."""
        self.owner = owner
        call_in_messages(self)


def is_bound(cls: type) -> bool:
    """Say whether a class is one of TensorRT's own."""
    return bool(cls.__dict__.get("_pybind11_bound", False))


def bound_parts(cls: type) -> list[type]:
    """Return the first bound classes among the bases of ``cls``, reached through Python classes alone.

    An instance has a C++ object for each, even if one derives from another of them.
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
        """Make a class; ``bound=True`` marks one of TensorRT's own, ``spelled`` gives it the name of another.

        CPython's C code and this code read a class's name for messages. A bound class is created under its full name,
        so that messages are as in the original. ``__name__`` returns the last part.
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
        """Remove the attributes that CPython's compiler adds to a bound class: the original has none."""
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
        doc="The last part of the name, as the original answers in Python.",
    )

    def __getattr__(cls, name: str) -> Any:
        """Return a member that the process's API level hides from user code, if the runtime's own code asks for it."""
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
        """Construct, then check that each bound base was initialised."""
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
        """Make the Python object; the ``__init__`` of a bound class makes the C++ object."""
        instance = object.__new__(cls)
        _set_native(instance, {})
        return instance

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise TypeError(f"{spelling(type(self))}: No constructor defined!")

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        """Refuse to be copied or pickled, unless the user's class says how."""
        hooks = ("__reduce__", "__getstate__", "__getnewargs__", "__getnewargs_ex__")
        if any(getattr(type(self), hook, None) is not getattr(object, hook, None) for hook in hooks):
            return super().__reduce_ex__(protocol)
        raise TypeError(f"cannot pickle {spelling(type(self))!r} object")


#: Reads and writes the hidden slot, also if the user's class overrides attribute access.
native: Callable[[object], dict[str, Any]] = pybind11_object.__dict__["_native"].__get__
_set_native: Callable[[object, dict[str, Any]], None] = pybind11_object.__dict__["_native"].__set__
for _mark in ("_native", *_COMPILER_MARKS):
    if _mark in pybind11_object.__dict__:
        type.__delattr__(pybind11_object, _mark)
type.__setattr__(pybind11_object, "__module__", "pybind11_builtins")
type.__setattr__(pybind11_type, "__module__", "pybind11_builtins")


def withdraw(cls: type, members: dict[str, Any]) -> None:
    """Hide members that were deleted from a class from all code but the runtime's."""
    type.__setattr__(cls, _WITHDRAWN, members)


def bound_bases(cls: type) -> tuple[type, ...]:
    """Return the most derived bound classes that an instance of ``cls`` has a C++ object for; empty for other classes.

    As in pybind11 they are those from the time when the class was created.
    """
    bases: tuple[type, ...] = cls.__dict__.get("_pybind11_bases", ())
    return bases


def initialise(instance: object, owner: type) -> bool:
    """Create the C++ object of class ``owner``; False if it exists: a second ``__init__`` is ignored."""
    if is_initialised(instance, owner):
        return False
    held = native(instance)
    held["_ready"] = (*held.get("_ready", ()), owner)
    return True


def made(cls: type[_T], **held: Any) -> _T:
    """Return an object of a bound class as C++ makes one: quickly, without a constructor."""
    return holding(cls, held)


def holding(cls: type[_T], held: dict[str, Any]) -> _T:
    """Return the same for a dictionary, which becomes the object's state: for code that runs at every callback."""
    instance: _T = object.__new__(cls)
    held["_ready"] = (cls,)
    _set_native(instance, held)
    return instance


def exchange(instance: object, held: dict[str, Any]) -> None:
    """Replace the dictionary that holds C++'s state of an object."""
    _set_native(instance, held)


def is_initialised(instance: object, owner: type) -> bool:
    """Say whether a bound ``__init__`` has run for ``owner`` or a class derived from it."""
    for cls in native(instance).get("_ready", ()):  # noqa: SIM110 - a generator takes four times as long
        if cls is owner or issubclass(cls, owner):
            return True
    return False


def has_native(instance: object) -> bool:
    """Say whether a bound ``__init__`` has run at all."""
    return "_ready" in native(instance)


def state(instance: object) -> dict[str, Any]:
    """Return the state of C++ of an object: the hidden slot's dictionary."""
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
    """Return the state of C++ of an object with several bound bases; ``owner`` must be initialised."""
    held = state(instance)
    if not is_initialised(instance, owner):
        raise NativeCrash(
            f"The {owner.__name__} of a {type(instance).__name__} was used before {spelling(owner)}.__init__() ran: "
            f"the genuine bindings crash here. Call the __init__ of each bound base before anything else in __init__."
        )
    return held


def bury(instance: object, why: str) -> None:
    """Remove the C++ object, as its owner in C++ does; later uses raise an error that says ``why``."""
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
    """Say whether a native attribute was assigned through the inherited property."""
    declared = _declared(owner, name)
    return (declared.key or name) in state_of(instance, declared.owner)


def _declared(owner: type, name: str) -> attribute:
    for base in owner.__mro__:
        found: attribute | None = base.__dict__.get(name)
        if found is not None:
            return found
    raise AttributeError(f"{owner.__name__} has no native attribute {name}")
