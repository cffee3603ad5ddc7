"""Create the plugin under test with parameters that differ from its case."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.fields.field_variants import doubled, increased, is_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

#: The factor of numbers that are made large.
_LARGE = 16
#: The number of elements up to which a field holds settings, such as paddings, and not weights.
_FEW = 16


def with_other_parameters(subject: Subject) -> Iterator[Subject]:
    """Yield the subject with one number field increased by 1, for each field, if the creator accepts that."""
    for value in filter(is_number, subject.fields):
        yield from _with(subject, value.name, increased(value).data, value.type)


def with_unequal_numbers(subject: Subject) -> Iterator[Subject]:
    """Yield the subject with the equal elements of one number field made unequal, if the creator accepts that."""
    for value in filter(is_number, subject.fields):
        if np.unique(value.data).size < value.data.size <= _FEW:
            steps = np.arange(value.data.size).astype(value.data.dtype)
            yield from _with(subject, value.name, value.data + steps, value.type)


def with_other_numbers(subject: Subject) -> Iterator[Subject]:
    """Yield the subject with one number field negative, large, longer or shorter, if the creator accepts that."""
    for value in filter(is_number, subject.fields):
        with np.errstate(all="ignore"):
            numbers = {"negative": -value.data, "large": value.data * _LARGE}
        for data in (*numbers.values(), doubled(value).data, value.data[:-1]):
            if data.size:
                yield from _with(subject, value.name, data, value.type)


def _with(subject: Subject, name: str, data: Any, kind: Any) -> Iterator[Subject]:
    value = (data, kind) if isinstance(subject.case.fields.get(name), tuple) else data  # as the reference knows it
    case = dataclasses.replace(subject.case, fields={**subject.case.fields, name: value})
    if getattr(case.reference, "of_these_fields", False):  # a recorded reference is valid for the case's fields only
        case = dataclasses.replace(case, reference=None)
    other = subject.with_case(case)
    plugin, _ = other.try_create(other.fields)
    if plugin is not None:
        yield other
