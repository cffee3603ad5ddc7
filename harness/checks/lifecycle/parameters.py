"""The plugin under test with other parameters than its case has."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.checks.fields.field_variants import increased, is_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject


def with_other_parameters(subject: Subject) -> Iterator[Subject]:
    """Yield the same plugin with one field of numbers changed, where its creator takes that."""
    for value in filter(is_number, subject.fields):
        fields = {**subject.case.fields, value.name: (increased(value).data, value.type)}
        other = subject.with_case(dataclasses.replace(subject.case, fields=fields))
        plugin, _ = other.try_create(other.fields)
        if plugin is not None:
            yield other
