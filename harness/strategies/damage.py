"""Generate damages to stored data. Each is one number, because generating takes most of an example's time.

The length of the data is not known here. Damage has most effect near their start, where versions and lengths are, or
near their end. So places count from the start or from the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.strategies.numbers import numbers_below

if TYPE_CHECKING:
    from harness.cases.facts import Facts

    Damage = dict[str, Any]

#: The copies in an example that have one damage each; one further copy has two.
_SINGLE = 6
#: The number of places that count from the start, and from the end.
_FIRST, _LAST = 48, 16
_BYTES = (0, 1, 2, 3, 4, 127, 128, 255)
_WORDS = (0, 1, 2, 3, 255, 256, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
_TAILS = (0, 1, 255)
_LENGTHS = (1, 2, 4, 8, 16)
#: Kinds of damage; those that occur twice are twice as likely.
_KINDS = ("flip", "word", "set", "flip", "word", "set", "cut", "tail", "repeat", "swap")
#: The number of variants of each kind, for example the bit to flip.
_WAYS = 24


def damages(facts: Facts) -> Any:  # noqa: ARG001 - a strategy takes facts
    """Return a strategy for ``{"copies": [damages, ...]}``: the damages to each copy of stored data."""
    return numbers_below([1 + len(_KINDS) * (_FIRST + _LAST) * _WAYS] * (_SINGLE + 2)).map(_copies)


def _copies(drawn: tuple[int, ...]) -> dict[str, Any]:
    copies = [[number] for number in drawn[:_SINGLE]] + [list(drawn[_SINGLE:])]
    done = [[_damage(number - 1) for number in numbers if number] for numbers in copies]
    return {"copies": [each for each in done if each]}


def _damage(number: int) -> Damage:
    """Return the damage that a number encodes."""
    number, way = divmod(number, _WAYS)
    kind, place = divmod(number, _FIRST + _LAST)
    do, at = _KINDS[kind], place if place < _FIRST else place - _FIRST - _LAST
    if do == "flip":
        return {"do": do, "at": at, "bit": way % 8}
    if do == "set":
        return {"do": do, "at": at, "to": _BYTES[way % len(_BYTES)]}
    if do == "word":
        return {"do": do, "at": at, "to": _WORDS[way % len(_WORDS)]}
    if do == "tail":
        return {"do": do, "of": _TAILS[way % len(_TAILS)], "bytes": _LENGTHS[way % len(_LENGTHS)]}
    if do == "repeat":
        return {"do": do, "at": at, "bytes": _LENGTHS[way % len(_LENGTHS)]}
    return {"do": do, "at": at}
