"""Fix the dimensions of an inferred case that a plugin must know before a run, or that change in steps.

Inputs share the names of their dimensions, so a dimension is fixed in all of them at once.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING

from msgspec import structs

from harness.checks.sampling.sampling import best_shapes, corner_shapes, is_dynamic, narrowed
from harness.contract.interface import IMPLICIT_BATCH

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.cases.case import Case
    from harness.cases.input import Input
    from harness.checks.sampling.sampling import Shapes
    from harness.child.discovery.attempts import Attempt, Attempts
    from harness.subject.subject import Subject

    Bounds = dict[str, tuple[int, int, int]]


def with_known_extents(attempts: Attempts, best: Attempt) -> Attempt:
    """Fix the last dimensions, one more each time, for a plugin that refuses -1 there and computes with a dimension."""
    case = best.case
    for name in reversed(_bounds(case)):
        case = fixed(case, name)
        attempt = attempts.with_case(case)
        if attempt.ran:
            return attempt
    return best


def without_refused_extents(subject: Subject, attempts: Attempts, best: Attempt) -> Attempt:
    """Fix the dimensions that may not have every value between their bounds, such as even ones only, at their best.

    Two dimensions that must be equal get one name.
    """
    case = best.case
    may_vary = best.is_complete and bool(case.inputs) and is_dynamic(case)
    if not may_vary or subject.interface in IMPLICIT_BATCH or not attempts.refuse(case, *_shapes_between(case)):
        return best
    case = _with_equal_extents(attempts, case)
    for name in reversed(_bounds(case)):
        if attempts.refuse(case, *_shapes_along(case, name)):
            case = _fixed_apart(attempts, case, name)
    if attempts.refuse(case, *_shapes_between(case), *corner_shapes(case)):
        case = narrowed(case, best_shapes(case))
    return structs.replace(best, case=case)


def _with_equal_extents(attempts: Attempts, case: Case) -> Case:
    """Give two dimensions one name, if the plugin takes all sizes that are equal in both."""
    bounds = _bounds(case)
    alike = (pair for pair in itertools.combinations(bounds, 2) if len({bounds[name] for name in pair}) == 1)
    for first, second in alike:
        equal = _renamed(case, second, first)
        if not attempts.refuse(equal, *_shapes_between(equal), *corner_shapes(equal)):
            return equal
    return case


def _renamed(case: Case, old: str, new: str) -> Case:
    def named(entry: Input) -> Input:
        return dataclasses.replace(entry, dims=tuple(new if dim == old else dim for dim in entry.dims or ()))

    return with_data_inputs(case, named)


def with_data_inputs(case: Case, change: Callable[[Input], Input]) -> Case:
    """Return the case with a change to each input; shape inputs stay."""
    inputs = (entry if entry.shape_input else change(entry) for entry in case.inputs)
    return dataclasses.replace(case, inputs=tuple(inputs))


def _fixed_apart(attempts: Attempts, case: Case, name: str) -> Case:
    """Fix a dimension, at a size that no fixed dimension has if the plugin takes it. Then swaps show."""
    held, (_, size, _) = fixed(case, name), _bounds(case)[name]
    if any((entry.dims or ()).count(size) > 1 for entry in held.data_inputs):
        other = fixed(case, name, corner=2)
        return other if attempts.with_case(other).is_complete else held
    return held


def fixed(case: Case, name: str | int, corner: int = 1) -> Case:
    """Return the case with a fixed dimension, at the optimum or another corner of each input that has it."""

    def held(entry: Input) -> Input:
        dims, (low, best, high), kept = entry.dims or (), entry.profile, entry.profile[corner]
        same = [dim == name for dim in dims]
        return dataclasses.replace(
            entry,
            dims=tuple(k if it else dim for it, k, dim in zip(same, kept, dims, strict=True)),
            min=tuple(k if it else a for it, k, a in zip(same, kept, low, strict=True)),
            opt=tuple(k if it else b for it, k, b in zip(same, kept, best, strict=True)),
            max=tuple(k if it else c for it, k, c in zip(same, kept, high, strict=True)),
        )

    return case if isinstance(name, int) else with_data_inputs(case, held)


def _bounds(case: Case) -> Bounds:
    """Return least, best and greatest of each dimension that is not fixed, in the order of the axes."""
    bounds_by_dim: dict[str, tuple[int, int, int]] = {}
    for entry in case.data_inputs:
        for dim, bounds in zip(entry.dims or (), zip(*entry.profile, strict=True), strict=True):
            if isinstance(dim, str):
                bounds_by_dim.setdefault(dim, bounds)
    return bounds_by_dim


def _shapes(case: Case, extent: Callable[[str], int]) -> Shapes:
    """Return the shapes of the data inputs, and the optimal values of shape inputs."""
    return tuple(
        entry.profile[1]
        if entry.shape_input
        else tuple(dim if isinstance(dim, int) else extent(dim) for dim in entry.dims or ())
        for entry in case.inputs
    )


def _shapes_between(case: Case) -> list[Shapes]:
    """Return shapes with dimensions a little above the least, and with great ones beside small ones."""
    bounds = _bounds(case)
    above = {name: min(low + 1, high) for name, (low, _, high) in bounds.items()}
    mixed = {name: (low, high)[place % 2] for place, (name, (low, _, high)) in enumerate(bounds.items())}
    return [_shapes(case, above.__getitem__), _shapes(case, mixed.__getitem__)]


def _shapes_along(case: Case, name: str) -> list[Shapes]:
    """Return the best shapes with one dimension that is a little above the least, or the greatest."""
    bounds = _bounds(case)
    low, _, high = bounds[name]
    best = {other: optimum for other, (_, optimum, _) in bounds.items()}
    return [_shapes(case, {**best, name: extent}.__getitem__) for extent in (min(low + 1, high), high)]


def _shapes_apart(case: Case, name: str) -> list[Shapes]:
    """Return shapes in which one dimension is the least and each other is the greatest, and the reverse."""
    bounds = _bounds(case)
    return [
        _shapes(case, {other: ends[end if other == name else -1 - end] for other, ends in bounds.items()}.__getitem__)
        for end in (0, -1)
    ]


def telling_shapes(case: Case, *names: str) -> list[Shapes]:
    """Return shapes in which one of the dimensions is the least and all others are the greatest, and so on."""
    apart = (shapes for name in names for shapes in (*_shapes_along(case, name), *_shapes_apart(case, name)))
    return [best_shapes(case), *corner_shapes(case), *_shapes_between(case), *apart]
