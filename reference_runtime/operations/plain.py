"""Convert the settings of an operation to JSON for a plan, and back with checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from reference_runtime.values import checked_json as checked
from reference_runtime.values.checked_json import PlanError

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.bound.enumeration import Enumeration

_LEAST: Final = -(1 << 63)
_MOST: Final = (1 << 63) - 1


class Codec(Struct, frozen=True):
    """Converts a setting to JSON and back; ``read`` raises `PlanError` for values that ``write`` does not write."""

    write: Callable[[Any], object]
    read: Callable[[object], Any]


def _read_integer(data: object) -> int:
    return checked.integer(data, _LEAST, _MOST)


def _read_truth(data: object) -> bool:
    if not isinstance(data, bool):
        raise PlanError(f"true or false was expected, not {data!r:.80}")
    return data


def _read_number(data: object) -> float:
    try:
        return float.fromhex(checked.text(data))
    except (ValueError, OverflowError) as error:
        raise PlanError(f"a number in hexadecimal form was expected, not {data!r:.80}") from error


INTEGER: Final = Codec(int, _read_integer)
INDICES: Final = Codec(list, lambda data: checked.items(data, _read_integer, checked.MAX_RANK))
TRUTH: Final = Codec(bool, _read_truth)
NUMBER: Final = Codec(float.hex, _read_number)


def members(cls: type[Enumeration]) -> Codec:
    """Return the codec of an enumeration's members."""
    return Codec(int, lambda data: checked.member(cls, data))


def optional(codec: Codec) -> Codec:
    """Return a codec that also accepts None."""
    return Codec(
        lambda value: None if value is None else codec.write(value),
        lambda data: None if data is None else codec.read(data),
    )
