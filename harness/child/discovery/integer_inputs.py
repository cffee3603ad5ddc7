"""Guess the values of integer inputs beside others: indices, positions and lengths may not have every value."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.checks.sampling.data import INTEGER_RANGE

if TYPE_CHECKING:
    from harness.cases.case import Case, Input
    from harness.child.discovery.attempts import Attempts

#: Values that are legal for almost all that an integer can mean.
_HARMLESS = (0, 0)
#: Values about the sizes of inferred dimensions: some are legal indices, and some are not.
_NEAR = (-2, 9)
#: Ranges to try, the widest first, for inputs that are all integers, and for integers beside other inputs.
_RANGES_ALONE = (INTEGER_RANGE, (0, 1), _HARMLESS)
_RANGES_BESIDE = (_NEAR, (0, 1), _HARMLESS)
_INTEGERS = {"int32", "int64"}


def with_harmless_integers(case: Case) -> Case:
    """Return the case with zeros in its integer inputs, if it has inputs of other types, too."""
    return _with_integers(case, _HARMLESS) if _is_mixed(case) else case


def with_integers(attempts: Attempts, case: Case) -> Case:
    """Return the case with the widest range of integers whose ends the plugin takes.

    Beside inputs of other types, integers are about as great as dimensions: most are then indices that exist.
    """
    if not any(map(_is_of_integers, case.inputs)):
        return case
    reached = attempts.with_case(case).reached
    for low, high in _RANGES_BESIDE if _is_mixed(case) else _RANGES_ALONE:
        ends = (_with_integers(case, (end, end)) for end in (low, high))
        if all(attempts.with_case(end).reached >= reached for end in ends):
            return _with_integers(case, None if (low, high) == INTEGER_RANGE else (low, high))
    return case


def _is_mixed(case: Case) -> bool:
    return not all(set(each.types) <= _INTEGERS for each in case.data_inputs)


def _with_integers(case: Case, values: tuple[int, int] | None) -> Case:
    inputs = (dataclasses.replace(each, values=values) if _is_of_integers(each) else each for each in case.inputs)
    return dataclasses.replace(case, inputs=tuple(inputs))


def _is_of_integers(entry: Input) -> bool:
    return set(entry.types) <= _INTEGERS and not entry.shape_input
