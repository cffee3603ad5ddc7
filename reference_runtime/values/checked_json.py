"""Read a plan's metadata: JSON within limits, and values of the expected kinds.

Theory. Foreign JSON can nest until the parser gives up, or contain a number so long that converting it takes minutes.
It can contain ``NaN``, which is no JSON, but which Python's parser accepts. Here the nesting is counted before the text
is parsed, and numbers are checked as text before they are converted. So parsing takes time and memory in proportion to
the text. Every error is a `PlanError`.
"""

from __future__ import annotations

import functools
import json
import re
import reprlib
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.bound.enumeration import Enumeration

MAX_TEXT: Final = 1 << 16
MAX_ITEMS: Final = 1 << 20
MAX_RANK: Final = 8
MAX_EXTENT: Final = (1 << 63) - 1
MAX_BYTES: Final = 1 << 47
MAX_NESTING: Final = 32

_MAX_DIGITS: Final = 20
_MAX_FLOAT: Final = 32
_WIDTH: Final = 80
_QUOTE: Final = ord('"')
_SHAPING: Final = re.compile(rb'\\.|["\[{\]}]', re.DOTALL)
"""The tokens that decide how deep JSON nests: an escape (which may hide a quote), a quote, or a bracket."""


class PlanError(ValueError):
    """The bytes are no plan that this runtime can use."""


def require(held: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence at each call
    """Raise `PlanError` with a message unless a condition ``held``."""
    if not held:
        raise PlanError(message)


def parse(data: bytes) -> Any:
    """Return the value of a JSON text."""
    _check_nesting(data)
    try:
        return json.loads(data.decode("ascii"), parse_int=_integer, parse_float=_float, parse_constant=_constant)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise PlanError(f"the metadata cannot be read: {error}") from error


def _check_nesting(data: bytes) -> None:
    depth, quoted = 0, False
    for token in _SHAPING.finditer(data):
        first = data[token.start()]
        if first == _QUOTE:
            quoted = not quoted
        elif not quoted and first in b"[{":
            depth += 1
            require(depth <= MAX_NESTING, f"the metadata cannot be read: they nest deeper than {MAX_NESTING}")
        elif not quoted and first in b"]}":
            depth -= 1


def _integer(digits: str) -> int:
    require(len(digits) <= _MAX_DIGITS, f"the metadata cannot be read: a number of {len(digits)} digits")
    return int(digits)


def _float(digits: str) -> float:
    require(len(digits) <= _MAX_FLOAT, f"the metadata cannot be read: a number of {len(digits)} digits")
    return float(digits)


def _constant(name: str) -> NoReturn:
    raise PlanError(f"the metadata cannot be read: {name} is no number")


def record(data: object, *keys: str) -> dict[str, Any]:
    """Return ``data`` if it is a record with exactly these keys."""
    if not isinstance(data, dict) or len(data) != len(keys) or any(key not in data for key in keys):
        raise PlanError(f"a record with {', '.join(keys)} was expected, not {shown(data)}")
    return data


def items(
    data: object, item: Callable[[Any], Any], most: int = MAX_ITEMS, *, exactly: int | None = None
) -> tuple[Any, ...]:
    """Return a list of checked items as a tuple."""
    if not isinstance(data, list) or len(data) > most or exactly not in (None, len(data)):
        count = f"at most {most}" if exactly is None else exactly
        raise PlanError(f"a list of {count} items was expected, not {shown(data)}")
    return tuple([item(value) for value in data])


def text(data: object) -> str:
    """Return a text that is not too long, and that can be written in any encoding of Unicode."""
    if isinstance(data, str) and len(data) <= MAX_TEXT:
        try:
            data.encode()
        except UnicodeEncodeError as error:
            raise PlanError(f"{shown(data)} is no text that can be encoded") from error
        return data
    raise PlanError(f"a text of at most {MAX_TEXT} characters was expected, not {shown(data)}")


def integer(data: object, least: int, most: int) -> int:
    """Return an integer within limits."""
    if not isinstance(data, int) or isinstance(data, bool) or not least <= data <= most:
        raise PlanError(f"an integer from {least} to {most} was expected, not {shown(data)}")
    return data


def truth(data: object) -> bool:
    """Return true or false."""
    if not isinstance(data, bool):
        raise PlanError(f"true or false was expected, not {shown(data)}")
    return data


def extents(data: object) -> tuple[int, ...]:
    """Return dimensions; some may be -1."""
    return items(data, lambda extent: integer(extent, -1, MAX_EXTENT), MAX_RANK)


def member(cls: type[Enumeration], data: object) -> Any:
    """Return the member of an enumeration that has a value."""
    known = _members(cls)
    value = integer(data, min(known), max(known))
    require(value in known, f"{value} is no {cls.__name__}")
    return known[value]


@functools.cache
def _members(cls: type[Enumeration]) -> dict[int, Any]:
    return {int(value): value for value in cls.__members__.values()}


def shown(data: object) -> str:
    """Return a value for a message, shortened."""
    described = _BRIEF.repr(data)
    return described if len(described) <= _WIDTH else f"{described[: _WIDTH - 3]}..."


_BRIEF: Final = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = _WIDTH
