"""Choose the bound overload for the arguments of a call, or raise pybind11's TypeError if none fits."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from msgspec import Struct

from reference_runtime.bound.bound_class import MODULE, attribute, bound_parts, initialise, is_initialised
from reference_runtime.bound.conversions import Converter, Mismatch
from reference_runtime.bound.errors import NativeCrash

_F = TypeVar("_F", bound=Callable[..., Any])
_REQUIRED = object()
_CLASS = re.compile(r"(?<![\w.:<'])(?!None\b|True\b|False\b)[A-Z]\w*(?:\.\w+)*(?!\w*:)")
#: Types that newer Python versions have in the standard library. pybind11 then uses the names there.
_IN_THE_LIBRARY = {
    ours: its
    for since, ours, its in (
        ((3, 12), "typing_extensions.Buffer", "collections.abc.Buffer"),
        ((3, 13), "typing_extensions.CapsuleType", "types.CapsuleType"),
    )
    if sys.version_info >= since
}
_CONSTRUCTOR = re.compile(r"^\(self: ([\w.]+)(?:, )?")


class Parameter(Struct, frozen=True):
    """One parameter after ``self``: its name, its converter, and its default."""

    name: str
    convert: Converter
    default: Any = _REQUIRED

    @property
    def positional_only(self) -> bool:
        """Return whether the parameter has no keyword; pybind11 shows it as ``arg0``, ``arg1`` and so on."""
        return self.name.startswith("arg") and self.name[3:].isdigit()


class Overload:
    """One bound signature: its measured text, and a converter for each parameter after ``self``."""

    def __init__(self, text: str, *converters: Converter, defaults: Sequence[Any] = ()) -> None:
        self.text = text
        self.converters = converters
        names = _parameter_names(text)
        if names[:1] == ["arg0"] and len(names) > len(converters):  # the receiver, if it is not ``self``
            names = names[1:]
        missing = [_REQUIRED] * (len(names) - len(defaults))
        self.parameters = [
            Parameter(name, convert, default)
            for name, convert, default in zip(names, converters, [*missing, *defaults], strict=True)
        ]

    def match(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Sequence[Any] | None:
        """Return the converted arguments, or ``None`` if this overload does not accept them."""
        values = self._values(arguments, named)
        if values is None:
            return None
        try:
            return [convert(value) for convert, value in zip(self.converters, values, strict=True)]
        except Mismatch:
            return None

    def _values(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Sequence[Any] | None:
        """Return a value for each parameter, or ``None`` if there are too many or too few arguments."""
        if len(arguments) == len(self.parameters) and not named:  # most calls
            return arguments
        if len(arguments) > len(self.parameters):
            return None
        left = dict(named)
        values = list(arguments)
        for parameter in self.parameters[len(arguments) :]:
            if parameter.name in left and not parameter.positional_only:
                values.append(left.pop(parameter.name))
            elif parameter.default is not _REQUIRED:
                values.append(parameter.default)
            else:
                return None
        return None if left else values


def _parameter_names(text: str) -> list[str]:
    """Read the names from ``(self: Dims, shape: Sequence[SupportsInt]) -> None``: the words before colons."""
    inside, depth, start, parts = text[text.index("(") + 1 : text.rindex(")")], 0, 0, []
    for place, letter in enumerate(inside):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            parts.append(inside[start:place])
            start = place + 1
    parts.append(inside[start:])
    names = [part.split(":")[0].strip() for part in parts if part.strip()]
    return names[1:] if names[:1] == ["self"] else names


def arguments_for(
    name: str,
    overloads: Sequence[Overload],
    receiver: tuple[object, ...],
    arguments: tuple[Any, ...],
    named: dict[str, Any],
) -> Sequence[Any]:
    """Return the arguments as the first overload that accepts them converts them.

    Raises:
        TypeError: No overload accepts them.
    """
    for overload in overloads:
        converted = overload.match(arguments, named)
        if converted is not None:
            return converted
    raise refusal(name, overloads, receiver, arguments, named)


def refusal(
    name: str,
    overloads: Sequence[Overload],
    receiver: tuple[object, ...],
    arguments: tuple[Any, ...],
    named: dict[str, Any],
) -> TypeError:
    """Return pybind11's error for a call that no overload accepts."""
    kind = "constructor" if name == "__init__" else "function"
    shown = arguments if name == "__init__" else (*receiver, *arguments)
    supported = "".join(
        f"\n    {number}. {shown_signature(overload.text, name)}" for number, overload in enumerate(overloads, 1)
    )
    invoked = ", ".join(_safe_repr(argument) for argument in shown)
    if named:
        invoked += "; " if invoked else ""
        invoked += "kwargs: " + ", ".join(f"{key}={_safe_repr(value)}" for key, value in named.items())
    return TypeError(
        f"{name}(): incompatible {kind} arguments. The following argument types are supported:{supported}\n\n"
        f"Invoked with: {invoked}"
    )


def shown_signature(text: str, name: str) -> str:
    """Return a signature as a message shows it: classes with their module, a constructor as a call of its class.

    Types of the standard library have their names in the running version of Python.
    """
    for ours, its in _IN_THE_LIBRARY.items():
        text = text.replace(ours, its)
    full = _CLASS.sub(lambda match: f"{MODULE}.{match[0]}", text)
    return _CONSTRUCTOR.sub(r"\1(", full.removesuffix(" -> None")) if name == "__init__" else full


def _safe_repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a message must not fail because an argument's repr does
        return "<repr raised Error>"


def bound(*overloads: Overload, on: Callable[[object], bool] | None = None) -> Callable[[_F], _F]:
    """Make a function a bound method: it is called with converted arguments, or the call raises a TypeError.

    ``on`` returns whether an object is accepted as ``self``; without it, the instances of the class are accepted.
    """

    def decorate(function: _F) -> _F:
        name = function.__name__

        @functools.wraps(function)
        def method(*everything: Any, **named: Any) -> Any:
            if not everything or not _is_receiver(everything[0], method, on):
                raise refusal(name, overloads, (), everything, named)
            receiver, *arguments = everything
            return function(receiver, *arguments_for(name, overloads, (receiver,), tuple(arguments), named))

        vars(method).update(overloads=overloads, on=on, owners=())
        return cast("_F", _marked(method))

    return decorate


def _is_receiver(value: object, method: Any, on: Callable[[object], bool] | None) -> bool:
    """Return whether a bound method accepts an object as ``self``, such as an instance of a class that defines it."""
    return on(value) if on is not None else not method.owners or isinstance(value, method.owners)


def bound_again(method: Any, choose: Callable[[Sequence[Overload]], Sequence[Overload]]) -> Any:
    """Return a bound method with other overloads, which ``choose`` returns for its current overloads."""
    again = bound(*choose(vars(method)["overloads"]), on=vars(method)["on"])(method.__wrapped__)
    vars(again).update(owners=vars(method)["owners"])
    return again


def bound_function(*overloads: Overload) -> Callable[[_F], _F]:
    """Make a function of the module a bound function."""

    def decorate(function: _F) -> _F:
        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            return function(*arguments_for(function.__name__, overloads, (), arguments, named))

        vars(call).update(overloads=overloads)
        return cast("_F", call)

    return decorate


def constructor(*overloads: Overload) -> Callable[[_F], _F]:
    """Make an ``__init__`` a bound constructor: it creates the C++ object, and a second call does nothing.

    Measured: a second call does nothing even with arguments that no overload accepts.
    """

    def decorate(function: _F) -> _F:
        @functools.wraps(function)
        def method(*everything: Any, **named: Any) -> None:
            if not everything or not isinstance(everything[0], made.owner):
                raise TypeError("__init__(self, ...) called with invalid or missing `self` argument")
            self, arguments = everything[0], everything[1:]
            if made.owner is not type(self) and made.owner not in bound_parts(type(self)):
                raise NativeCrash(
                    f"{made.owner.__name__}.__init__() was called on an object of a derived class: the genuine "
                    f"bindings abort here. Call the __init__ of the most derived class alone."
                )
            if not is_initialised(self, made.owner):
                converted = arguments_for("__init__", overloads, (self,), arguments, named)
                initialise(self, made.owner)
                function(self, *converted)

        vars(method).update(overloads=overloads)
        made = _Constructor(method)
        return cast("_F", made)

    return decorate


class _Constructor:
    """A bound ``__init__`` that does not know its class yet."""

    def __init__(self, method: Any) -> None:
        self.method = _marked(method)
        self.owner: type = object

    def __set_name__(self, owner: type, name: str) -> None:
        """Put the function itself in the class, now that the owner is known."""
        self.owner = owner
        type.__setattr__(owner, name, self.method)


def accessor(
    text: str, read: Callable[[Any], Any] | None, write: Callable[[Any, Any], object], convert: Converter
) -> attribute:
    """Make a property whose setter accepts the values that ``convert`` accepts; without ``read`` it is write-only.

    ``text`` is the setter's measured signature.
    """
    overloads = (Overload(text, convert),)

    def assign(self: object, value: object) -> None:
        try:
            converted = convert(value)
        except Mismatch:
            pass
        else:
            write(self, converted)
            return
        raise refusal("", overloads, (self,), (value,), {})

    return attribute(read, assign)


def _marked(function: Any) -> Any:
    """Mark a function as a bound function of TensorRT.

    The mark is the function itself. So a mark that ``functools.wraps`` copies to a user's function does not count.
    """
    function.pybind11_bound = function
    return function


def is_bound_function(value: object) -> bool:
    """Return whether an attribute is a method of TensorRT, and not a user's override."""
    function = getattr(value, "__func__", value)
    return getattr(function, "pybind11_bound", None) is function
