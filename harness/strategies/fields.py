"""Generate edits of fields. One number chooses each list of edits, because generating takes most of an example's time.

A creator refuses most random fields at once, which shows nothing. So an example has several lists with only a few edits
each: some fields left out, or all fields with one unusual value.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from harness.contract.finding import NotApplicable
from harness.strategies.numbers import numbers_below

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.facts import Facts

    Edit = dict[str, Any]
    Edits = list[Edit]

#: The most fields that are left out together.
_MOST_LEFT_OUT = 3
#: The number of lists of edits in an example of ``other_fields``, and of ``other_contents``.
_STRUCTURES, _CONTENTS = 2, 6
#: The most edits in an example of ``equal_fields``. They must not change the plugin.
_HARMLESS = 3
_PLACES = 4
#: Types that a field may get; it keeps its own type more often, with the weight `_OWN`.
_TYPES = ("FLOAT16", "FLOAT32", "FLOAT64", "INT8", "INT16", "INT32", "INT64", "CHAR", "UNKNOWN")
_OWN = 16
#: Words for the bounds of the field's type, and numbers near the bounds of narrower types that a plugin may use.
_VALUES = (0, 1, -1, 2, 255, 256, -129, 32768, 65536, -32769, "most", "least", "inf", "-inf", "nan", "denormal")
#: The number of choices of elements that get the value: all, the first, or the second.
_ELEMENTS = 3
_UNKNOWN: Sequence[Edit] = (
    {"name": "unknown", "type": "INT32", "data": [7]},
    {"name": "unknown", "type": "FLOAT32", "data": [0.5]},
    {"name": "unknown", "type": "CHAR", "data": [120, 0]},
    {"name": "unknown", "type": "INT32", "data": []},
    {"name": "", "type": "INT32", "data": [2, 3]},
)


def other_fields(facts: Facts) -> Any:
    """Return a strategy for ``{"collections": [edits, ...]}``: fields left out, and one more edit.

    Raises:
        NotApplicable: The case has no fields.
    """
    made = itertools.product(_subsets(facts.fields), [[], *_further(facts.fields)])
    return _collections([[*subset, *more] for subset, more in made], _STRUCTURES)


def other_contents(facts: Facts) -> Any:
    """Return a strategy for ``{"collections": [edits, ...]}``: one field with an unusual value, or another type, too.

    Raises:
        NotApplicable: The case has no fields.
    """
    if not facts.fields:
        raise NotApplicable("the case has no fields")
    return _collections(_contents(facts.fields), _CONTENTS)


def _collections(choices: Sequence[Edits], number: int) -> Any:
    """Return a strategy for at most ``number`` of the lists of edits; empty lists are left out."""
    drawn = numbers_below([len(choices)] * number)
    return drawn.map(lambda places: {"collections": [choices[place] for place in places if choices[place]]})


def equal_fields(facts: Facts) -> Any:
    """Return a strategy for ``{"edits": [...]}``: the same fields in another order, twice, or with unknown fields.

    Raises:
        NotApplicable: The case has no fields.
    """
    harmless: list[Edits] = [[], *_further(facts.fields, ("again",))]
    numbers = numbers_below([len(harmless)] * _HARMLESS)
    return numbers.map(lambda drawn: {"edits": [edit for number in drawn for edit in harmless[number]]})


def _subsets(fields: Sequence[str]) -> list[Edits]:
    if not fields:
        raise NotApplicable("the case has no fields")
    sizes = range(min(_MOST_LEFT_OUT, len(fields)) + 1)
    return [
        [{"edit": "left out", "field": name} for name in names]
        for size in sizes
        for names in itertools.combinations(fields, size)
    ]


def _further(fields: Sequence[str], named: Sequence[str] = ("emptied", "repeated", "again")) -> list[Edits]:
    """Return lists of one edit each: the kinds in ``named`` for each field, moved fields, and unknown fields."""
    if not fields:
        raise NotApplicable("the case has no fields")
    edits: Edits = [{"edit": edit, "field": name} for edit in named for name in fields]
    places = range(min(_PLACES, len(fields)))
    edits += [{"edit": "moved", "field": name, "to": place} for name in fields for place in places if len(fields) > 1]
    edits += [{"edit": "unknown", **entry, "to": place} for entry in _UNKNOWN for place in (0, 1, len(fields))]
    return [[edit] for edit in edits]


def _contents(fields: Sequence[str]) -> list[Edits]:
    """Return lists of edits that set a value of one field, and possibly its type; the first list is empty."""
    choices: list[Edits] = [[]]
    kinds: list[Edits] = [[]] * _OWN + [[{"edit": "type", "type": name}] for name in _TYPES]
    for name, kind, at, value in itertools.product(fields, kinds, range(_ELEMENTS), _VALUES):
        edits = [*kind, {"edit": "value", "value": value, "at": at}]
        choices.append([{**edit, "field": name} for edit in edits])
    return choices
