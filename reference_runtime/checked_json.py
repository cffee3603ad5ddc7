"""Reading a plan's metadata: values of the kind that is expected at their place, or the one error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.enumeration import Enumeration

__all__ = ["MAX_EXTENT", "MAX_RANK", "PlanError", "extents", "integer", "items", "member", "record", "require", "text"]

MAX_TEXT: Final = 1 << 16
MAX_ITEMS: Final = 1 << 16
MAX_RANK: Final = 8
MAX_EXTENT: Final = (1 << 63) - 1

_WIDTH: Final = 80


class PlanError(ValueError):
    """The bytes are no plan that this runtime can use."""


def require(held: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence at each call
    """Refuse a plan for which something does not hold."""
    if not held:
        raise PlanError(message)


def record(data: object, *keys: str) -> dict[str, Any]:
    """Return a record that has exactly these keys."""
    if not isinstance(data, dict) or set(data) != set(keys):
        raise PlanError(f"a record with {', '.join(keys)} was expected, not {_shown(data)}")
    return data


def items(
    data: object, item: Callable[[Any], Any], most: int = MAX_ITEMS, *, exactly: int | None = None
) -> tuple[Any, ...]:
    """Return a list of checked items as a tuple."""
    if not isinstance(data, list) or len(data) > most or exactly not in (None, len(data)):
        wanted = f"at most {most}" if exactly is None else exactly
        raise PlanError(f"a list of {wanted} items was expected, not {_shown(data)}")
    return tuple(item(value) for value in data)


def text(data: object) -> str:
    """Return a text that is not too long."""
    if not isinstance(data, str) or len(data) > MAX_TEXT:
        raise PlanError(f"a text of at most {MAX_TEXT} characters was expected, not {_shown(data)}")
    return data


def integer(data: object, least: int, most: int) -> int:
    """Return an integer within limits."""
    if not isinstance(data, int) or isinstance(data, bool) or not least <= data <= most:
        raise PlanError(f"an integer from {least} to {most} was expected, not {_shown(data)}")
    return data


def extents(data: object) -> tuple[int, ...]:
    """Return extents, of which some may be -1."""
    return items(data, lambda extent: integer(extent, -1, MAX_EXTENT), MAX_RANK)


def member(cls: type[Enumeration], data: object) -> Any:
    """Return the member of an enumeration that has a value."""
    known = {int(value) for value in cls.__members__.values()}
    value = integer(data, min(known), max(known))
    require(value in known, f"{value} is no {cls.__name__}")
    return cls(value)


def _shown(data: object) -> str:
    shown = repr(data)
    return shown if len(shown) <= _WIDTH else f"{shown[: _WIDTH - 3]}..."
