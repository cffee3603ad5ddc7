"""Let dimensions that guessed inputs have in common vary apart, where the plugin takes that."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from typing import TYPE_CHECKING

from harness.child.discovery.extents import telling_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.cases.case import Case
    from harness.cases.input import Input
    from harness.child.discovery.attempts import Attempts

    Place = tuple[int, int]


#: So many dimensions with own names have other sizes; then sizes come again, since sizes of tensors multiply.
_SIZES = 3


def with_separate_dims(attempts: Attempts, case: Case) -> Case:
    """Give dimensions their own names, if the plugin runs with all sizes of the others.

    A product of two square matrices becomes one of a 16x8 and an 8x32 matrix.
    """
    found = 0
    for groups in (_alone, _in_pairs, _along_axes) if len(case.inputs) > 1 else ():
        for places in groups(_named(case)):
            own, names = _name(places[0]), {_named(case)[place] for place in places}
            uses = Counter(_named(case).values())
            if len(names) > 1 or own in uses or uses[min(names)] <= len(places):
                continue
            changed = _with_own(case, places, own, found % _SIZES + 1)
            if attempts.take(changed, *telling_shapes(changed, own, *names)):
                case, found = changed, found + 1
    return case


def _named(case: Case) -> dict[Place, str]:
    """Return the names of dimensions by their places: an input, and an axis."""
    dims = ((index, enumerate(entry.dims or ())) for index, entry in enumerate(case.data_inputs))
    return {(index, axis): dim for index, named in dims for axis, dim in named if isinstance(dim, str)}


def _alone(named: Mapping[Place, str]) -> Iterator[Sequence[Place]]:
    return ([place] for place in named)


def _in_pairs(named: Mapping[Place, str]) -> Iterator[Sequence[Place]]:
    """Yield two places of different inputs with the same name."""
    pairs = itertools.combinations(named, 2)
    return ([one, other] for one, other in pairs if one[0] != other[0] and named[one] == named[other])


def _along_axes(named: Mapping[Place, str]) -> Iterator[Sequence[Place]]:
    """Yield all places of one axis with the same name."""
    axes = dict.fromkeys((axis, name) for (_, axis), name in named.items())
    return ([place for place in named if (place[1], named[place]) == each] for each in axes)


def _name(place: Place) -> str:
    index, axis = place
    return f"d{axis}_{index}"


def _with_own(case: Case, places: Sequence[Place], name: str, times: int) -> Case:
    """Return the case with a dimension of another name at these places, which is so many times as great."""
    inputs = list(case.inputs)
    for index, axis in places:
        inputs[index] = _renamed(inputs[index], axis, name, times)
    return dataclasses.replace(case, inputs=tuple(inputs))


def _renamed(entry: Input, axis: int, name: str, times: int) -> Input:
    low, best, high = (list(corner) for corner in entry.profile)
    best[axis], high[axis] = times * high[axis], (times + 1) * high[axis]
    dims = list(entry.dims or ())
    dims[axis] = name
    return dataclasses.replace(entry, dims=tuple(dims), min=tuple(low), opt=tuple(best), max=tuple(high))
