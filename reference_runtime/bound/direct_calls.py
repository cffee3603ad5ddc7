"""A fast path for calls with positional arguments that fit a bound method's first overload.

Theory. Nearly every call is of this kind, so it needs no list of arguments and no search. All other calls (keywords,
defaults, a receiver of another kind, other overloads) take the general path. It gets the number of overloads that were
tried, so that no argument is converted twice by one of them. The generated source of the function names its parameters:
this is the fastest way to pass them on.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.conversions import Mismatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.bound.conversions import Converter

__all__ = ["direct", "indirect"]

_SOURCE: Final = """
def make(function, otherwise, {converters}):
    def method(*everything, **named):
        if len(everything) != {count} or named or not isinstance(everything[0], method.owners):
            return otherwise(everything, named, 0)
        {names} = everything
        try:
            {converted}
        except Mismatch:
            pass
        else:
            return function({names})
        return otherwise(everything, named, 1)
    return method
"""


def direct(
    function: Callable[..., Any],
    converters: Sequence[Converter],
    otherwise: Callable[[tuple[Any, ...], dict[str, Any], int], Any],
) -> Any:
    """Return a method that converts its arguments and calls ``function``; other calls go to ``otherwise``.

    ``otherwise`` gets all arguments, positional and by keyword, and the number of overloads that refused them. The
    attribute ``owners`` holds the method's classes.
    """
    return _maker(len(converters))(function, otherwise, *converters)


def indirect(otherwise: Callable[[tuple[Any, ...], dict[str, Any], int], Any]) -> Any:
    """Return a method that always takes the general path."""

    def method(*everything: Any, **named: Any) -> Any:
        return otherwise(everything, named, 0)

    return method


@functools.cache
def _maker(count: int) -> Any:
    """Return the function that makes methods with so many parameters."""
    scope: dict[str, Any] = {"__name__": __name__, "Mismatch": Mismatch}
    exec(compile(_source(count), __file__, "exec"), scope)  # noqa: S102 - the text is ours alone; as `dataclasses` does
    return scope["make"]


def _source(count: int) -> str:
    places = range(count)
    return _SOURCE.format(
        count=count + 1,
        converters="".join(f"convert{place}, " for place in places),
        names="self, " + "".join(f"given{place}, " for place in places),
        converted="; ".join(f"given{place} = convert{place}(given{place})" for place in places) or "pass",
    )
