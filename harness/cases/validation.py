"""Validate the values of a case. Each is returned as the harness uses it, or refused with advice."""

from __future__ import annotations

import math
import numbers
import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any


class CaseError(ValueError):
    """A case is malformed; the message names the case, the key, the value and what was expected."""


def text(key: str, value: Any) -> str:
    """Return a text."""
    if isinstance(value, str):
        return value
    raise refused(key, value, f"a text, such as {str(value)!r}" if isinstance(value, int) else "a text")


def switch(key: str, value: Any) -> bool:
    """Return True or False; other values, which Python would take for one of them, are refused."""
    if isinstance(value, bool):
        return value
    raise refused(key, value, "True or False")


def function(key: str, value: Any) -> Callable[..., Any] | None:
    """Return what can be called, or None."""
    if value is None or callable(value):
        return value  # type: ignore[no-any-return]  # callable() says nothing of what comes back
    raise refused(key, value, "a function")


def mapping(key: str, value: Any, what: str) -> Mapping[str, Any]:
    """Return a mapping whose keys are texts."""
    if isinstance(value, Mapping):
        return {text(f"a name in {key}", name): each for name, each in value.items()}
    raise refused(key, value, f"a dict of {what}")


def entries(key: str, value: Any, what: str) -> tuple[Any, ...]:
    """Return the entries of a list. Texts, mappings and sets are refused, though Python can iterate over them."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, AbstractSet)):
        return tuple(value)
    raise refused(key, value, f"a tuple of {what}")


def whole_numbers(key: str, value: Any) -> tuple[int, ...] | None:
    """Return the numbers of a list; None where there is no list."""
    if value is None:
        return None
    return tuple(_whole(f"{key}[{place}]", each) for place, each in enumerate(entries(key, value, "whole numbers")))


def extents(key: str, value: Any) -> tuple[int | str, ...] | None:
    """Return dimensions: numbers from 0 up, and names; None where there are none."""
    if value is None:
        return None
    listed = (value,) if isinstance(value, str) else entries(key, value, "dimensions")
    return tuple(_extent(f"{key}[{place}]", each) for place, each in enumerate(listed))


def names(key: str, value: Any, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return one name or several, at least one, all of them known."""
    listed = (value,) if isinstance(value, str) else entries(key, value, f"names, such as ({known[0]!r},)")
    if not listed:
        raise refused(key, value, f"at least one of {', '.join(known)}")
    for each in listed:
        if not isinstance(each, str) or each not in known:
            raise CaseError(f"{key} holds {reprlib.repr(each)}; known are {', '.join(map(repr, known))}")
    return listed


def positive(key: str, value: Any) -> float | None:
    """Return a number above 0, or None."""
    if value is None or (_is_number(value) and value > 0):
        return value  # type: ignore[no-any-return]  # a number of NumPy keeps its type
    raise refused(key, value, "a number above 0")


def at_least_zero(key: str, value: Any) -> float:
    """Return a number from 0 up."""
    if _is_number(value) and value >= 0:
        return value  # type: ignore[no-any-return]  # a number of NumPy keeps its type
    raise refused(key, value, "a number from 0 up")


def interval(key: str, value: Any) -> tuple[float, float] | Callable[..., Any] | None:
    """Return the bounds of values to draw, or a function that draws them, or None."""
    if value is None or callable(value):
        return value  # type: ignore[no-any-return]  # as in function()
    wanted = "(low, high), two numbers, or a function(rng, shape, dtype)"
    bounds = tuple(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else ()
    if len(bounds) != 2 or not all(map(_is_number, bounds)):  # noqa: PLR2004 - low and high
        raise refused(key, value, wanted)
    low, high = bounds
    if low > high:
        raise refused(key, value, f"the lower bound first: ({high!r}, {low!r})")
    return low, high


def field(key: str, value: Any) -> None:
    """Check the value of a field: text, numbers, or numbers with the type that the field declares."""
    if isinstance(value, (str, bytes)):
        return
    typed = isinstance(value, tuple) and len(value) == 2 and type(value[1]).__name__ == "PluginFieldType"  # noqa: PLR2004
    import numpy as np  # noqa: PLC0415 - pytest's process reads facts of cases, and needs no NumPy for them

    try:
        held = np.asarray(value[0] if typed else value)
    except ValueError:  # rows of different lengths
        held = np.asarray(None)
    if held.dtype.kind not in "biufV":
        raise refused(key, value, "an array of numbers, bytes or str for CHAR, or (array, trt.PluginFieldType.X)")


def refused(key: str, value: Any, wanted: str) -> CaseError:
    """Return the error of a value that is of the wrong kind."""
    return CaseError(f"{key} is {reprlib.repr(value)}: write {wanted}")


def _extent(key: str, value: Any) -> int | str:
    if isinstance(value, str) and value:
        return value
    wanted = "a number from 0 up, or a name in quotes for a dynamic dimension"
    extent = -1 if isinstance(value, str) else _whole(key, value, wanted)
    if extent < 0:
        raise refused(key, value, wanted)
    return extent


def _whole(key: str, value: Any, wanted: str = "a whole number") -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise refused(key, value, wanted) from None
    if isinstance(value, bool):
        raise refused(key, value, wanted)
    return number


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Real) and math.isfinite(value)
