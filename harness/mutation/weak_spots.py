"""Find properties that no case of a module has, so that its cases miss defects."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot

if TYPE_CHECKING:
    from harness.mutation.trial import CaseSeen, Seen

#: The advice for each property that no case has.
ADVICE = {
    Spot.DIFFERENT_INPUTS: "give one case inputs of different dimensions",
    Spot.UNEVEN_EXTENTS: "give one case dimensions that all differ, such as (2, 3, 5, 7)",
    Spot.DYNAMIC: "give one case a profile with different min, opt and max",
    Spot.EMPTY: "write a 0 into the min of one case, if the plugin allows that",
    Spot.SEVERAL_TYPES: 'list the types that the plugin takes: "types": ("float32", "float16")',
    Spot.FIELDS: "give one case fields with values that are not the defaults",
    Spot.SEVERAL_FIELDS: "give two cases different values for the same field",
    Spot.REFERENCE: "give each case a reference, which computes the right results",
}


def lacking(original: Seen) -> frozenset[Spot]:
    """Return the properties that no case has, from the results of the original."""
    cases = original.cases
    exists = {
        Spot.DYNAMIC: any(case.facts.extents for case in cases),
        Spot.EMPTY: any(0 in entry.profile[0] for case in cases for entry in case.facts.inputs),
        Spot.SEVERAL_TYPES: any(len(entry.types) > 1 for case in cases for entry in case.facts.inputs),
        Spot.FIELDS: any(case.facts.fields for case in cases),
        Spot.SEVERAL_FIELDS: _has_a_field_twice(cases),
        Spot.UNEVEN_EXTENTS: any(_is_uneven(shape) for shape in _shapes(cases)),
        Spot.DIFFERENT_INPUTS: _has_different_inputs(cases),
        Spot.REFERENCE: "ENQ-010" in original.evaluated,
    }
    return frozenset(spot for spot, has in exists.items() if not has)


def _shapes(cases: Sequence[CaseSeen]) -> list[tuple[int, ...]]:
    return [tuple(entry.profile[1]) for case in cases for entry in case.facts.inputs]


def _is_uneven(shape: tuple[int, ...]) -> bool:
    return len(shape) > 1 and len({*shape}) == len(shape)


def _has_different_inputs(cases: Sequence[CaseSeen]) -> bool:
    several = [case for case in cases if len(case.facts.inputs) > 1]
    pairs = (pair for case in several for pair in itertools.combinations(case.facts.inputs, 2))
    return not several or any(one.profile[1] != other.profile[1] for one, other in pairs)


def _has_a_field_twice(cases: Sequence[CaseSeen]) -> bool:
    names = [(case.plugin, name) for case in cases for name in case.facts.fields]
    return len({*names}) < len(names)
