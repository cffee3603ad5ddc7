"""Many kinds of nonsense that a callback may return in place of its answer."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable


class Sulking:
    """An object whose every method raises."""

    def _refuse(self, *_: Any) -> Any:
        raise ValueError("no method of this object works")

    __repr__ = __str__ = __len__ = __iter__ = __getitem__ = __eq__ = __lt__ = __bool__ = __int__ = __index__ = _refuse
    __float__ = __call__ = __format__ = __bytes__ = __contains__ = __add__ = __radd__ = __enter__ = _refuse
    __getattr__ = __hash__ = __array__ = _refuse


class Unprintable:
    """An object that nobody can put into a message."""

    def __repr__(self) -> str:
        raise ValueError("this object has no text")


def misnamed(kind: type) -> Any:
    """Return an object that says that it is of another class."""
    return type("Misnamed", (), {"__class__": kind})()


class Number(int):
    """A whole number that answers no comparison."""

    def __eq__(self, _: object) -> bool:
        raise ValueError("this number is compared with nothing")

    __lt__ = __gt__ = __le__ = __ge__ = __eq__  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


def _refused(*_: Any) -> Any:
    raise ValueError("this value is not read")


def unreadable(kind: type, *arguments: Any) -> Any:
    """Return a value of a class of its own, derived from a right one, which can be neither read nor compared."""
    ways = ["len", "iter", "getitem", "eq", "ne", "bytes", "str", "repr", "contains"]
    return type("Unreadable", (kind,), {**{f"__{way}__": _refused for way in ways}, "__hash__": None})(*arguments)


class Endless:
    """A sequence whose length and elements do not fit together."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        return index

    def __iter__(self) -> Any:
        return iter(())


class SilentError(Exception):
    """An exception without a text."""

    def __str__(self) -> str:
        raise ValueError("this exception has no text")


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of a callback: the objects that nonsense is made of."""

    trt: Any
    plugin: Any
    arguments: tuple[Any, ...]
    sound: Callable[[], Any]
    number: int


def _nested() -> list[Any]:
    nested: list[Any] = []
    nested.append(nested)
    return nested


def _extended(call: Call) -> Any:
    """The first list among the arguments, which it extends by its own first element."""
    for argument in call.arguments:
        if isinstance(argument, list):
            argument.extend(argument[:1] or [None])
            return argument
    return [None]


def _emptied(call: Call) -> Any:
    """The right answer, behind which the lists among the arguments lose what they held."""
    answer = call.sound()
    for argument in call.arguments:
        if isinstance(argument, list):
            argument.clear()
    return answer


def _raising(error: BaseException) -> Callable[[Call], Any]:
    def answer(_: Call) -> Any:
        raise error

    return answer


def _altering(other: Any) -> Callable[[Call], Any]:
    """The right answer, and another one every second time."""
    return lambda call: call.sound() if call.number % 2 else other


def _doubled(call: Call) -> Any:
    """The right answer twice, where it is a list."""
    answer = call.sound()
    return answer * 2 if isinstance(answer, list) else [answer, answer]


#: What a callback returns, by a name for it.
KINDS: dict[str, Callable[[Call], Any]] = {
    "None": lambda _: None,
    "True": lambda _: True,
    "False": lambda _: False,
    "0": lambda _: 0,
    "-1": lambda _: -1,
    "1": lambda _: 1,
    "2**31": lambda _: 2**31,
    "2**63": lambda _: 2**63,
    "-2**63": lambda _: -(2**63),
    "10**400": lambda _: 10**400,
    "nan": lambda _: float("nan"),
    "inf": lambda _: float("inf"),
    "0.5": lambda _: 0.5,
    "1j": lambda _: 1j,
    "empty text": lambda _: "",
    "text": lambda _: "text",
    "half a surrogate pair": lambda _: "\udc80",
    "a text with NUL": lambda _: "a\0b",
    "no bytes": lambda _: b"",
    "bytes": lambda _: b"\xff\x00\x01",
    "a bytearray": lambda _: bytearray(b"\xff" * 7),
    "a memoryview": lambda _: memoryview(b"abc"),
    "an empty list": lambda _: [],
    "a list of None": lambda _: [None],
    "a list of texts": lambda _: ["a", "b"],
    "a list that holds itself": lambda _: _nested(),
    "a hundred zeros": lambda _: [0] * 100,
    "a tuple": lambda _: (1, 2),
    "a dictionary": lambda _: {"a": 1},
    "a set": lambda _: {1, 2},
    "an object": lambda _: object(),
    "a class": lambda _: int,
    "a function": lambda _: len,
    "a module": lambda call: call.trt,
    "an empty generator": lambda _: (each for each in ()),
    "an endless generator": lambda _: itertools.repeat(0),
    "an array": lambda _: np.array([1, 2]),
    "an array of no dimension": lambda _: np.array(3),
    "a number of NumPy": lambda _: np.int64(-3),
    "a float of NumPy": lambda _: np.float32("nan"),
    "an object whose every method raises": lambda _: Sulking(),
    "an object without a text": lambda _: Unprintable(),
    "an object that lies about its class": lambda _: misnamed(int),
    "no bytes, but says so": lambda _: misnamed(bytes),
    "no text, but says so": lambda _: misnamed(str),
    "no list, but says so": lambda _: misnamed(list),
    "no answer, but says so": lambda _: misnamed(bool),
    "bytes that cannot be read": lambda _: unreadable(bytes, b"\xff\x00"),
    "a text that cannot be read": lambda _: unreadable(str, "text"),
    "a list that cannot be read": lambda _: unreadable(list, [1, 2]),
    "dimensions that cannot be read": lambda call: unreadable(call.trt.Dims, [2, 2]),
    "a field collection that cannot be read": lambda call: unreadable(call.trt.PluginFieldCollection, []),
    "a number that cannot be compared": lambda _: Number(7),
    "a sequence without elements, of length 3": lambda _: Endless(),
    "the plugin itself": lambda call: call.plugin,
    "negative dimensions": lambda call: call.trt.Dims([-5, -5]),
    "expressions of no dimension": lambda call: call.trt.DimsExprs(0),
    "a list of empty expressions": lambda call: [call.trt.DimsExprs(2), call.trt.DimsExprs(2)],
    "a data type": lambda call: call.trt.DataType.BOOL,
    "its first argument": lambda call: call.arguments[0] if call.arguments else None,
    "its input list, extended": _extended,
    "the right answer, the arguments emptied": _emptied,
    "the right answer twice": _doubled,
    "None every second time": _altering(None),
    "1 every second time": _altering(1),
    "an exception as an object": lambda _: ValueError("returned, not raised"),
    "raises an exception without a text": _raising(SilentError()),
    "raises StopIteration": _raising(StopIteration()),
    "raises KeyboardInterrupt": _raising(KeyboardInterrupt()),
    "raises SystemExit": _raising(SystemExit(3)),
    "raises RecursionError": _raising(RecursionError("too deep")),
}
