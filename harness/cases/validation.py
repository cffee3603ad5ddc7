"""Validate the values of a case: return each as the harness uses it, or raise an error with advice.

Each function takes the ``key`` of the value for the message, and raises :class:`CaseError` for a wrong value.
"""

from __future__ import annotations

import math
import numbers
import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any


class CaseError(ValueError):
    """A case is malformed; the message says which key is wrong and what is expected there."""


def text(key: str, value: Any) -> str:
    """Return a str."""
    if isinstance(value, str):
        return value
    raise refused(key, value, f"a text, such as {str(value)!r}" if isinstance(value, int) else "a text")


def switch(key: str, value: Any) -> bool:
    """Return a bool. Other values are refused, although Python can convert them to a bool."""
    if isinstance(value, bool):
        return value
    raise refused(key, value, "True or False")


def function(key: str, value: Any) -> Callable[..., Any] | None:
    """Return a callable or None."""
    if value is None or callable(value):
        return value  # type: ignore[no-any-return]  # callable() does not tell mypy the type of the result
    raise refused(key, value, "a function")


def mapping(key: str, value: Any, what: str) -> Mapping[str, Any]:
    """Return a mapping, whose keys must be texts, as a new dict; ``what`` describes its entries in the message."""
    if isinstance(value, Mapping):
        return {text(f"a name in {key}", name): each for name, each in value.items()}
    raise refused(key, value, f"a dict of {what}")


def entries(key: str, value: Any, what: str) -> tuple[Any, ...]:
    """Return the entries of an iterable as a tuple. Texts, mappings and sets are refused."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, AbstractSet)):
        return tuple(value)
    raise refused(key, value, f"a tuple of {what}")


def whole_numbers(key: str, value: Any) -> tuple[int, ...] | None:
    """Return an iterable of integers as a tuple, or None for None."""
    if value is None:
        return None
    return tuple(_whole(f"{key}[{place}]", each) for place, each in enumerate(entries(key, value, "whole numbers")))


def extents(key: str, value: Any) -> tuple[int | str, ...] | None:
    """Return dimensions as a tuple: integers from 0 up, and names. A text is a single name; None stays None."""
    if value is None:
        return None
    listed = (value,) if isinstance(value, str) else entries(key, value, "dimensions")
    return tuple(_extent(f"{key}[{place}]", each) for place, each in enumerate(listed))


def names(key: str, value: Any, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return one or more names, which must be in ``known``, as a tuple. A text is a single name."""
    listed = (value,) if isinstance(value, str) else entries(key, value, f"names, such as ({known[0]!r},)")
    if not listed:
        raise refused(key, value, f"at least one of {', '.join(known)}")
    for each in listed:
        if not isinstance(each, str) or each not in known:
            raise CaseError(f"{key} holds {reprlib.repr(each)}; known are {', '.join(map(repr, known))}")
    return listed


def positive(key: str, value: Any) -> float | None:
    """Return a finite number above 0, or None."""
    if value is None or (_is_number(value) and value > 0):
        return value  # type: ignore[no-any-return]  # a number of NumPy keeps its type
    raise refused(key, value, "a number above 0")


def at_least_zero(key: str, value: Any) -> float:
    """Return a finite number from 0 up."""
    if _is_number(value) and value >= 0:
        return value  # type: ignore[no-any-return]  # a number of NumPy keeps its type
    raise refused(key, value, "a number from 0 up")


def interval(key: str, value: Any) -> tuple[float, float] | Callable[..., Any] | None:
    """Return ``(low, high)``, a function that generates values, or None."""
    if value is None or callable(value):
        return value  # type: ignore[no-any-return]  # as in function()
    form = "(low, high), two numbers, or a function(rng, shape, dtype)"
    bounds = tuple(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else ()
    if len(bounds) != 2 or not all(map(_is_number, bounds)):  # noqa: PLR2004 - low and high
        raise refused(key, value, form)
    low, high = bounds
    if low > high:
        raise refused(key, value, f"the lower bound first: ({high!r}, {low!r})")
    return low, high


def field(key: str, value: Any) -> None:
    """Check the value of a field: str, bytes, numbers, or ``(numbers, PluginFieldType)``."""
    if isinstance(value, (str, bytes)):
        return
    typed = isinstance(value, tuple) and len(value) == 2 and type(value[1]).__name__ == "PluginFieldType"  # noqa: PLR2004
    import numpy as np  # noqa: PLC0415 - pytest's process imports this module, and needs no NumPy

    try:
        held = np.asarray(value[0] if typed else value)
    except ValueError:  # rows of different lengths
        held = np.asarray(None)
    if held.dtype.kind not in "biufV":
        raise refused(key, value, "an array of numbers, bytes or str for CHAR, or (array, trt.PluginFieldType.X)")


def refused(key: str, value: Any, form: str) -> CaseError:
    """Return the error for a wrong value; ``form`` says what to write instead."""
    return CaseError(f"{key} is {reprlib.repr(value)}: write {form}")


def _extent(key: str, value: Any) -> int | str:
    if isinstance(value, str) and value:
        return value
    form = "a number from 0 up, or a name in quotes for a dynamic dimension"
    extent = -1 if isinstance(value, str) else _whole(key, value, form)
    if extent < 0:
        raise refused(key, value, form)
    return extent


def _whole(key: str, value: Any, form: str = "a whole number") -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise refused(key, value, form) from None
    if isinstance(value, bool):
        raise refused(key, value, form)
    return number


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Real) and math.isfinite(value)
